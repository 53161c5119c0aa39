/** The views of this person, in the palette. */
import { Bookmark } from 'lucide-react'
import { useGet } from '../../api/queries.ts'
import { Group } from '../../app/palette-group.tsx'
import { openView } from './view-address.ts'

export function ViewsGroup({ onDone }: { readonly onDone: () => void }) {
  const views = useGet('/me/views')
  const entries = (views.data?.data ?? []).map(({ name, path }) => ({
    id: `view ${name}`,
    label: name,
    detail: 'Saved view',
    icon: Bookmark,
    run: () => openView(path),
  }))
  return <Group heading="Saved views" entries={entries} onDone={onDone} />
}
