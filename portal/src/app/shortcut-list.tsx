/** The list behind `?`. */
import { Link } from '@tanstack/react-router'
import type { Me } from '../api/session.ts'
import { Dialog } from '../ui/dialog.tsx'
import { pagesByLetter } from './shortcuts.ts'

const everywhere = [
  ['Ctrl K', 'Search and commands'],
  ['/', 'Search in the table of this page'],
  ['?', 'This list'],
  ['Esc', 'Close what is open'],
] as const

export function ShortcutList({ me, onClose }: { readonly me: Me; readonly onClose: () => void }) {
  const rows = [
    ...everywhere,
    ...pagesByLetter(me).map(({ shortcut, title }) => [`g ${shortcut}`, `Go to ${title}`] as const),
  ]
  return (
    <Dialog isOpen onClose={onClose} title="Keyboard shortcuts">
      <dl className="grid grid-cols-[auto_1fr] items-center gap-x-6 gap-y-2">
        {rows.map(([keys, meaning]) => (
          <div key={keys} className="contents">
            <dt>
              <kbd className="rounded-6 border border-line bg-sunken px-1.5 py-0.5 font-mono text-12">{keys}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-4 text-13 text-text-3">
        Single letters can be switched off in{' '}
        <Link to="/me/settings" className="text-accent underline" onClick={onClose}>
          My settings
        </Link>
        .
      </p>
    </Dialog>
  )
}
