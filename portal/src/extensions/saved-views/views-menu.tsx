/** The views of this person, to open and to add to: what the page shows now, under a name. */
import { useLocation } from '@tanstack/react-router'
import { Bookmark, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { toApiError } from '../../api/api-error.ts'
import { useGet } from '../../api/queries.ts'
import { Button } from '../../ui/button.tsx'
import { lateWindow } from '../../ui/late-window.tsx'
import { Menu } from '../../ui/menu.tsx'
import type { MenuEntry } from '../../ui/menu-entry.ts'
import { useUrlState } from '../../ui/url-state.ts'
import { openView, viewAddress } from './view-address.ts'

const close = ({ onClose }: { readonly onClose: () => void }): void => onClose()
const SaveView = lateWindow(async () => (await import('./save-view.tsx')).SaveView, close)
const DeleteViews = lateWindow(async () => (await import('./delete-views.tsx')).DeleteViews, close)

export function ViewsMenu() {
  const { pathname } = useLocation()
  const [state] = useUrlState()
  const [open, setOpen] = useState<'save' | 'delete'>()
  const views = useGet('/me/views')
  const saved = views.data?.data ?? []
  const leave = (): void => setOpen(undefined)
  const heading =
    views.error !== null
      ? `Your views could not be loaded: ${toApiError(views.error).message}`
      : saved.length === 0
        ? 'No saved views yet'
        : 'Saved views'
  const entries: readonly MenuEntry[] = [
    { kind: 'heading', label: heading },
    ...saved.map(({ name, path }) => ({
      kind: 'action' as const,
      label: name,
      icon: Bookmark,
      onSelect: () => openView(path),
    })),
    { kind: 'line', id: 'own' },
    { kind: 'action', label: 'Save this view', icon: Plus, onSelect: () => setOpen('save') },
    {
      kind: 'action',
      label: 'Delete a view',
      icon: Trash2,
      isDisabled: saved.length === 0,
      onSelect: () => setOpen('delete'),
    },
  ]
  return (
    <>
      <Menu trigger={<Button icon={Bookmark}>Views</Button>} entries={entries} />
      {open === 'save' && <SaveView path={viewAddress(pathname, state)} onClose={leave} />}
      {open === 'delete' && <DeleteViews onClose={leave} />}
    </>
  )
}
