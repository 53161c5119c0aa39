/** Deletes views that are no longer needed. */
import { Trash2 } from 'lucide-react'
import { api } from '../../api/client.ts'
import { useGet, useWrite } from '../../api/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { QueryView } from '../../ui/states.tsx'

export function DeleteViews({ onClose }: { readonly onClose: () => void }) {
  const views = useGet('/me/views')
  const remove = useWrite(
    async (name: string) => {
      await api.delete('/me/views/{name}', { params: { path: { name } } })
      return name
    },
    { refreshes: ['/me/views'], done: (name) => `${name} is deleted.` },
  )
  return (
    <Dialog isOpen onClose={onClose} title="Delete a view" lead="What it showed stays as it is; only the name goes.">
      <QueryView query={views}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="text-text-2">You have no saved views.</p>
          ) : (
            <ul className="flex flex-col gap-2">
              {data.map(({ name, path }) => (
                <li key={name} className="flex items-center justify-between gap-3">
                  <span className="min-w-0">
                    <span className="block font-medium [overflow-wrap:anywhere]">{name}</span>
                    <span className="block truncate text-12 text-text-3">{path}</span>
                  </span>
                  <Button
                    tone="danger"
                    icon={Trash2}
                    isBusy={remove.isPending}
                    aria-label={`Delete ${name}`}
                    onClick={() => remove.mutate(name)}
                  >
                    Delete
                  </Button>
                </li>
              ))}
            </ul>
          )
        }
      </QueryView>
    </Dialog>
  )
}
