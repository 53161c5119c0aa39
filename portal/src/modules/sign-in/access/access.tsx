/** Who may sign in: the identity providers, and what they provision. */
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { useGet, useWrite } from '../../../api/queries.ts'
import { useSlot } from '../../../app/slot.tsx'
import { Button } from '../../../ui/button.tsx'
import { DataTable, useListParams } from '../../../ui/data-table.tsx'
import { Confirm } from '../../../ui/dialog.tsx'
import { Card, Page } from '../../../ui/layout.tsx'
import { Menu } from '../../../ui/menu.tsx'
import { Badge } from '../../../ui/states.tsx'
import type { Column } from '../../../ui/table-column.ts'
import { Time } from '../../../ui/values.tsx'
import { providerWindows } from '../slots.ts'
import { type Provider, providerPaths } from './provider-facts.ts'
import { ProviderForm } from './provider-form.tsx'

const switchOver = ({ id, enabled }: Provider) =>
  api.patch('/admin/idps/{id}', { params: { path: { id } }, body: { enabled: !enabled } })

const switched = {
  refreshes: providerPaths,
  done: ({ name, enabled }: Provider) => `${name} is ${enabled ? 'on' : 'off'}.`,
}

export function AccessPage() {
  const [editing, setEditing] = useState<Provider | 'new'>()
  const [leaving, setLeaving] = useState<Provider>()
  const [closing, setClosing] = useState<Provider>()
  const windows = useSlot(providerWindows)
  const [opened, setOpened] = useState<{ readonly provider: Provider; readonly label: string }>()
  const list = useGet('/admin/idps', { params: { query: useListParams() } }, { keepPrevious: true })
  const open = useWrite(switchOver, switched)
  const close = useWrite(switchOver, { ...switched, showsErrors: true })
  const remove = useWrite(({ id }: Provider) => api.delete('/admin/idps/{id}', { params: { path: { id } } }), {
    refreshes: providerPaths,
    done: 'The provider is deleted.',
    showsErrors: true,
  })
  const columns: readonly Column<Provider>[] = [
    { id: 'name', header: 'Name', sort: 'name', cell: ({ name }) => name },
    {
      id: 'state',
      header: 'State',
      cell: ({ enabled }) => (enabled ? <Badge tone="ok">On</Badge> : <Badge>Off</Badge>),
    },
    {
      id: 'issuer',
      header: 'Issuer',
      cell: ({ issuer_url: url }) => <span className="[overflow-wrap:anywhere]">{url}</span>,
    },
    {
      id: 'new',
      header: 'New people',
      isMinor: true,
      cell: (provider) => (provider.auto_provision ? `become ${provider.default_role}s` : 'are refused'),
    },
    { id: 'added', header: 'Added', isMinor: true, cell: ({ created_at: at }) => <Time at={at} /> },
    {
      id: 'more',
      header: 'Actions',
      align: 'right',
      cell: (provider) => (
        <Menu
          trigger={<Button aria-label={`Actions for ${provider.name}`}>Actions</Button>}
          entries={[
            { kind: 'action', label: 'Change', onSelect: () => setEditing(provider) },
            ...windows.map(({ facts: { label } }) => ({
              kind: 'action' as const,
              label,
              onSelect: () => setOpened({ provider, label }),
            })),
            {
              kind: 'action',
              label: provider.enabled ? 'Switch off' : 'Switch on',
              onSelect: () => (provider.enabled ? setClosing(provider) : open.mutate(provider)),
            },
            { kind: 'action', label: 'Delete', isDangerous: true, onSelect: () => setLeaving(provider) },
          ]}
        />
      ),
    },
  ]
  const add = (
    <Button tone="primary" icon={Plus} onClick={() => setEditing('new')}>
      Add provider
    </Button>
  )
  return (
    <Page
      title="Sign-in"
      lead="Identity providers that vouch for people. The admin password under Settings is the way in when all of them are down."
      actions={add}
    >
      <Card isFlush>
        <DataTable
          caption="Identity providers"
          columns={columns}
          query={list}
          rowId={({ id }) => id}
          searchLabel="Search providers"
          empty={{
            title: 'No identity provider',
            text: 'Until there is one, only the admin password signs in.',
            action: add,
          }}
        />
      </Card>
      {editing !== undefined && (
        <ProviderForm provider={editing === 'new' ? undefined : editing} onClose={() => setEditing(undefined)} />
      )}
      {opened !== undefined &&
        windows
          .filter(({ facts }) => facts.label === opened.label)
          .map(({ Part }) => (
            <Part key={opened.label} provider={opened.provider} onClose={() => setOpened(undefined)} />
          ))}
      <Confirm
        isOpen={closing !== undefined}
        onClose={() => setClosing(undefined)}
        title={`Switch off ${closing?.name}?`}
        action="Switch off"
        onConfirm={async () => closing !== undefined && (await close.mutateAsync(closing))}
      >
        Nobody can sign in through it, and its tokens are refused, until it is on again. People and their keys stay.
      </Confirm>
      <Confirm
        isOpen={leaving !== undefined}
        onClose={() => setLeaving(undefined)}
        title={`Delete ${leaving?.name}?`}
        action="Delete"
        onConfirm={async () => leaving !== undefined && (await remove.mutateAsync(leaving))}
      >
        Nobody can sign in through it any more, its tokens are refused, and its provisioning tokens stop. People and
        their keys stay.
      </Confirm>
    </Page>
  )
}
