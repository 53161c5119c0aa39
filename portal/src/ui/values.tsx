/** Values in a table or a list: a time that says how long ago and exactly when, money, and the sign for nothing. */
import { useEffect, useState } from 'react'
import { usePreferences } from '../app/preferences.ts'
import { formatRelative, formatTime, formatTimeExact, formatUsd } from './format.ts'

const TICK_MS = 30_000

export function Time({ at, isExact = false }: { readonly at: string | null | undefined; readonly isExact?: boolean }) {
  usePreferences()
  const [nowMs, setNowMs] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), TICK_MS)
    return () => clearInterval(timer)
  }, [])
  if (at === null || at === undefined) return <Nothing />
  return (
    <time dateTime={at} title={formatTimeExact(at)} className="whitespace-nowrap">
      {isExact ? formatTime(at) : formatRelative(at, nowMs)}
    </time>
  )
}

export function Money({ usd }: { readonly usd: number }) {
  return <span className="tabular whitespace-nowrap">{formatUsd(usd)}</span>
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
