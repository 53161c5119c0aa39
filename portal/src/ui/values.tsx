/** Values in a table or a list: a time that says how long ago and exactly when, money, and the sign for nothing. */
import { type ReactNode, useEffect, useState } from 'react'
import { usePreferences } from '../app/preferences.ts'
import { formatAgo, formatRelative, formatTime, formatTimeExact, formatUsd } from './format.ts'

const TICK_MS = 30_000

interface TimeProps {
  readonly at: string | null | undefined
  readonly isExact?: boolean
  /** For logs, where many things happen in a minute. */
  readonly hasSeconds?: boolean
  /** Of something to come, such as an end. */
  readonly isAhead?: boolean
}

export function Time({ at, isExact = false, hasSeconds = false, isAhead = false }: TimeProps) {
  usePreferences()
  const [nowMs, setNowMs] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), TICK_MS)
    return () => clearInterval(timer)
  }, [])
  if (at === null || at === undefined) return <Nothing />
  const exact = formatTimeExact(at)
  const relative = (isAhead ? formatRelative : formatAgo)(at, nowMs)
  return (
    <time dateTime={at} title={hasSeconds ? relative : exact} className="whitespace-nowrap">
      {hasSeconds ? exact : isExact ? formatTime(at) : relative}
    </time>
  )
}

export function Money({ usd }: { readonly usd: number }) {
  return <span className="tabular whitespace-nowrap">{formatUsd(usd)}</span>
}

/** A name in a table, as long as somebody has made it: cut off for the eye, so that the other columns stay in sight, and whole in the title. One that is read from the right is cut off at its end too, which is at the left. */
export function Name({ text }: { readonly text: string }) {
  return (
    <span title={text} dir="auto" className="block max-w-64 truncate text-left">
      {text}
    </span>
  )
}

/** A name with what it belongs to below it. */
export function TwoLines({ first, second }: { readonly first: ReactNode; readonly second: string | null }) {
  return (
    <span className="flex flex-col">
      {typeof first === 'string' ? <Name text={first} /> : first}
      {second !== null && (
        <span className="text-12 font-normal text-text-3">
          <Name text={second} />
        </span>
      )}
    </span>
  )
}

/** An empty cell that says that it is empty. */
export function Nothing({ word = 'none' }: { readonly word?: string }) {
  return (
    <span className="text-text-3">
      <span aria-hidden>–</span>
      <span className="sr-only">{word}</span>
    </span>
  )
}
