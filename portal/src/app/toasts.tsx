/** Short messages at the edge of the screen, in the colours of the theme. Errors stay until they are closed. */
import type { CSSProperties } from 'react'
import { Toaster } from 'sonner'
import { usePreferences } from './preferences.ts'

const look = {
  '--normal-bg': 'var(--surface)',
  '--normal-text': 'var(--text-1)',
  '--normal-border': 'var(--line)',
  '--success-bg': 'var(--ok-soft)',
  '--success-text': 'var(--ok)',
  '--success-border': 'var(--ok)',
  '--error-bg': 'var(--bad-soft)',
  '--error-text': 'var(--bad)',
  '--error-border': 'var(--bad)',
  '--border-radius': '8px',
  fontFamily: 'var(--font-sans)',
} as CSSProperties

export function Toasts() {
  const { theme } = usePreferences()
  return <Toaster theme={theme} richColors closeButton position="bottom-right" duration={5000} style={look} />
}
