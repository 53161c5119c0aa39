/** Copying that works on plain http too, where browsers offer no clipboard, and that says whether it worked. */
import { Check, Copy, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button, IconButton } from './button.tsx'

export async function copyText(text: string): Promise<boolean> {
  try {
    if (navigator.clipboard !== undefined) {
      await navigator.clipboard.writeText(text)
      return true
    }
  } catch {
    // Refused by the browser: the older way below may still be allowed.
  }
  const before = document.activeElement
  const area = document.createElement('textarea')
  area.value = text
  area.setAttribute('readonly', '')
  area.className = 'fixed top-0 opacity-0'
  // Inside an open dialog, focus may not leave it.
  const place = before?.closest('[role="dialog"]') ?? document.body
  place.append(area)
  area.select()
  const isCopied = document.execCommand('copy')
  area.remove()
  // The keyboard goes on from where it was.
  if (before instanceof HTMLElement) before.focus({ preventScroll: true })
  return isCopied
}

type Outcome = 'none' | 'copied' | 'failed'

function useCopy(text: string): readonly [Outcome, () => void] {
  const [outcome, setOutcome] = useState<Outcome>('none')
  useEffect(() => {
    if (outcome === 'none') return undefined
    const timer = setTimeout(() => setOutcome('none'), 2000)
    return () => clearTimeout(timer)
  }, [outcome])
  const copy = (): void => {
    void copyText(text).then((isCopied) => setOutcome(isCopied ? 'copied' : 'failed'))
  }
  return [outcome, copy]
}

const words: Readonly<Record<Outcome, string>> = {
  none: '',
  copied: 'Copied',
  failed: 'Could not copy. Select the text and copy it yourself.',
}

export function CopyButton({ text, label }: { readonly text: string; readonly label: string }) {
  const [outcome, copy] = useCopy(text)
  const icon = outcome === 'copied' ? Check : outcome === 'failed' ? X : Copy
  return (
    <>
      <IconButton icon={icon} label={label} onClick={copy} className="!size-7 shrink-0" />
      <span role="status" className="sr-only">
        {words[outcome]}
      </span>
    </>
  )
}

/** One command or snippet, with one button that copies all of it. */
export function Command({
  text,
  label,
  isFirstPlace = false,
}: {
  readonly text: string
  readonly label: string
  /** Copying it is what its window is for: the keyboard begins here. */
  readonly isFirstPlace?: boolean
}) {
  const [outcome, copy] = useCopy(text)
  const isLong = text.includes('\n')
  return (
    <div className="flex flex-col rounded-8 border border-line bg-sunken sm:flex-row sm:items-start">
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
        tabIndex={0}
        className="min-w-0 flex-1 self-stretch sm:self-center overflow-x-auto px-3 py-2.5 font-mono text-13"
      >
        <code>{text}</code>
      </pre>
      <div className={isLong ? 'p-1.5' : 'p-1.5 sm:self-center'}>
        <Button
          icon={outcome === 'copied' ? Check : Copy}
          onClick={copy}
          aria-label={`Copy: ${label}`}
          data-first-place={isFirstPlace || undefined}
          isWide
        >
          {outcome === 'copied' ? 'Copied' : 'Copy'}
        </Button>
        <span role="status" className="sr-only">
          {words[outcome]}
        </span>
        {outcome === 'failed' && <p className="mt-1 max-w-48 text-12 text-bad">{words.failed}</p>}
      </div>
    </div>
  )
}

/** Shortened for the eye, whole for the clipboard. */
export function ShortId({ id, label = 'Copy the id' }: { readonly id: string; readonly label?: string }) {
  const shown = id.length > 14 ? `${id.slice(0, 12)}…` : id
  return (
    <span className="inline-flex items-center gap-0.5">
      <code className="font-mono text-13" title={id}>
        {shown}
      </code>
      <CopyButton text={id} label={label} />
    </span>
  )
}
