/** The table of names: from the seed, from discovery, or by an administrator. */
import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import * as z from 'zod/mini'
import { type Answer, api } from '../../api/client.ts'
import { useGet, useWrite } from '../../api/queries.ts'
import { useRights } from '../../app/rights.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { DataTable, useListParams } from '../../ui/data-table.tsx'
import { Confirm, Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/fields.tsx'
import { Form } from '../../ui/form.tsx'
import { formatCount } from '../../ui/format.ts'
import { Card } from '../../ui/layout.tsx'
import type { Column } from '../../ui/table-column.ts'
import { Nothing } from '../../ui/values.tsx'

type Mapping = Answer<'/admin/model-mappings', 'get'>['data'][number]

const sources: Readonly<Record<Mapping['source'], string>> = {
  seed: 'built in',
  discovery: 'discovered',
  admin: 'an administrator',
}

const schema = z.object({
  vendor_prefix: z
    .string()
    .check(z.trim(), z.minLength(1, 'The id that clients ask for.'), z.maxLength(200, 'At most 200 characters.')),
  hosted_model_id: z.string().check(z.trim(), z.minLength(1, 'The hosted model, such as anthropic.claude-opus-5.')),
  display_name: z.string().check(z.trim(), z.maxLength(100, 'At most 100 characters.')),
})

function deleteColumn(ask: (mapping: Mapping) => void): Column<Mapping> {
  return {
    id: 'delete',
    header: 'Delete',
    align: 'right',
    cell: (mapping) => (
      <IconButton icon={Trash2} label={`Delete ${mapping.vendor_prefix}`} onClick={() => ask(mapping)} />
    ),
  }
}

export function Mappings() {
  const [isAdding, setIsAdding] = useState(false)
  const [leaving, setLeaving] = useState<Mapping>()
  const list = useGet('/admin/model-mappings', { params: { query: useListParams() } }, { keepPrevious: true })
  const put = useWrite(
    ({ vendor_prefix, display_name, hosted_model_id }: z.infer<typeof schema>) =>
      api.put('/admin/model-mappings/{vendor_prefix}', {
        params: { path: { vendor_prefix } },
        body: { hosted_model_id, ...(display_name === '' ? {} : { display_name }) },
      }),
    {
      refreshes: ['/admin/model-mappings'],
      done: ({ vendor_prefix }) => `${vendor_prefix} is saved.`,
      onDone: () => setIsAdding(false),
      showsErrors: true,
    },
  )
  const remove = useWrite(
    ({ vendor_prefix }: Mapping) =>
      api.delete('/admin/model-mappings/{vendor_prefix}', { params: { path: { vendor_prefix } } }),
    { refreshes: ['/admin/model-mappings'], done: 'The mapping is deleted.', showsErrors: true },
  )
  const { isAdmin } = useRights()
  const columns: readonly Column<Mapping>[] = [
    { id: 'asked', header: 'Asked for', sort: 'vendor_prefix', cell: ({ vendor_prefix }) => vendor_prefix },
    {
      id: 'hosted',
      header: 'Hosted model',
      cell: ({ hosted_model_id }) => (
        <code className="font-mono text-12 [overflow-wrap:anywhere]">{hosted_model_id}</code>
      ),
    },
    { id: 'name', header: 'Shown as', isMinor: true, cell: ({ display_name }) => display_name },
    {
      id: 'window',
      header: 'Window',
      align: 'right',
      isMinor: true,
      cell: ({ context_window: window }) => (window === null ? <Nothing word="unknown" /> : formatCount(window)),
    },
    { id: 'source', header: 'From', isMinor: true, cell: ({ source }) => sources[source] },
    ...(isAdmin ? [deleteColumn(setLeaving)] : []),
  ]
  const add = isAdmin && (
    <Button icon={Plus} onClick={() => setIsAdding(true)}>
      Add mapping
    </Button>
  )
  return (
    <Card title="Mappings" lead="Compared as a whole: no name ever matches by its beginning." actions={add} isFlush>
      <DataTable
        caption="All mappings"
        columns={columns}
        query={list}
        rowId={({ vendor_prefix }) => vendor_prefix}
        searchLabel="Search mappings"
        empty={{ title: 'No mappings', text: 'Names are found by asking the endpoints.', action: add }}
      />
      <Dialog
        isOpen={isAdding}
        onClose={() => setIsAdding(false)}
        title="Add a mapping"
        lead="An existing one of this name is replaced."
      >
        <Form
          schema={schema}
          defaults={{ vendor_prefix: '', hosted_model_id: '', display_name: '' }}
          submit="Save mapping"
          onCancel={() => setIsAdding(false)}
          onSubmit={(values) => put.mutateAsync(values)}
        >
          <TextField name="vendor_prefix" label="Asked for" placeholder="claude-opus-5" />
          <TextField name="hosted_model_id" label="Hosted model" placeholder="anthropic.claude-opus-5" />
          <TextField name="display_name" label="Shown as" hint="In the client’s model picker. May be empty." />
        </Form>
      </Dialog>
      <Confirm
        isOpen={leaving !== undefined}
        onClose={() => setLeaving(undefined)}
        title={`Delete ${leaving?.vendor_prefix}?`}
        action="Delete"
        onConfirm={async () => leaving !== undefined && (await remove.mutateAsync(leaving))}
      >
        A call that asks for it is looked up at the endpoints, and answered with “not found” when none has it.
        {leaving?.source === 'seed' && ' It is built in, so the next start of a gateway brings it back.'}
      </Confirm>
    </Card>
  )
}
