/** What an endpoint's profiles are known to take, by learning or by an administrator's word. */
import { useState } from 'react'
import * as z from 'zod/mini'
import { type Answer, api } from '../../api/client.ts'
import { useGet, useWrite } from '../../api/queries.ts'
import { useRights } from '../../app/rights.ts'
import { Button } from '../../ui/button.tsx'
import { DataTable, useListParams } from '../../ui/data-table.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { SelectField, TextField } from '../../ui/fields.tsx'
import { Form } from '../../ui/form.tsx'
import { Card } from '../../ui/layout.tsx'
import { Badge, type Tone } from '../../ui/states.tsx'
import type { Column } from '../../ui/table-column.ts'
import { Time } from '../../ui/values.tsx'
import type { Endpoint } from './endpoint-facts.tsx'

type Capability = Answer<'/admin/capabilities', 'get'>['data'][number]

const verdicts: Readonly<Record<Capability['verdict'], readonly [Tone, string]>> = {
  supported: ['ok', 'Taken'],
  unsupported: ['bad', 'Refused'],
  suspected: ['warn', 'Suspected'],
}

const schema = z.object({
  profile_id: z.string().check(z.trim(), z.minLength(1, 'The profile, such as us.anthropic.claude-opus-5.')),
  beta_name: z.string().check(z.trim(), z.minLength(1, 'The beta, such as context-1m-2025-08-07.')),
  supported: z.enum(['true', 'false']),
  reason: z.string().check(z.trim(), z.maxLength(500, 'At most 500 characters.')),
})

type Values = z.infer<typeof schema>

export function Capabilities({ endpoint }: { readonly endpoint: Endpoint }) {
  const [open, setOpen] = useState<Values>()
  const { isAdmin } = useRights()
  const params = useListParams('c')
  const list = useGet(
    '/admin/capabilities',
    { params: { query: { ...params, endpoint_id: endpoint.id } } },
    { keepPrevious: true },
  )
  const refreshes = ['/admin/capabilities'] as const
  const put = useWrite(
    ({ reason, supported, ...values }: Values) =>
      api.put('/admin/capabilities/overrides', {
        body: { ...values, endpoint_id: endpoint.id, supported: supported === 'true', reason: reason || null },
      }),
    { refreshes, done: 'The override is saved.', onDone: () => setOpen(undefined), showsErrors: true },
  )
  const clear = useWrite(
    ({ profile_id, beta_name }: Capability) =>
      api.delete('/admin/capabilities/overrides', { body: { endpoint_id: endpoint.id, profile_id, beta_name } }),
    { refreshes, done: 'The gateway learns this by itself again.' },
  )
  const known: readonly Column<Capability>[] = [
    { id: 'beta', header: 'Beta or field', cell: ({ beta_name }) => beta_name },
    {
      id: 'profile',
      header: 'Profile',
      cell: ({ profile_id }) => <code className="font-mono text-12 [overflow-wrap:anywhere]">{profile_id}</code>,
    },
    {
      id: 'verdict',
      header: 'Verdict',
      cell: ({ verdict }) => <Badge tone={verdicts[verdict][0]}>{verdicts[verdict][1]}</Badge>,
    },
    {
      id: 'source',
      header: 'Known from',
      isMinor: true,
      cell: ({ source, expires_at: until }) =>
        source === 'override' ? (
          'an administrator'
        ) : (
          <>
            learnt, until <Time at={until} isAhead />
          </>
        ),
    },
  ]
  const columns: readonly Column<Capability>[] = [
    ...known,
    {
      id: 'change',
      header: 'Change',
      align: 'right',
      cell: (row) =>
        row.source === 'override' ? (
          <Button onClick={() => clear.mutate(row)} isBusy={clear.isPending}>
            Clear
          </Button>
        ) : (
          <Button
            onClick={() =>
              setOpen({
                profile_id: row.profile_id,
                beta_name: row.beta_name,
                supported: row.verdict === 'supported' ? 'false' : 'true',
                reason: '',
              })
            }
          >
            Override
          </Button>
        ),
    },
  ]
  return (
    <Card
      title="Capabilities"
      lead="Learnt from answers and probes, forgotten after a day; an override stays until it is cleared."
      actions={
        isAdmin && (
          <Button onClick={() => setOpen({ profile_id: '', beta_name: '', supported: 'true', reason: '' })}>
            Add override
          </Button>
        )
      }
      isFlush
    >
      <DataTable
        caption="Capabilities"
        prefix="c"
        columns={isAdmin ? columns : known}
        query={list}
        rowId={({ profile_id, beta_name }) => `${profile_id} ${beta_name}`}
        searchLabel="Search betas and profiles"
        empty={{
          title: 'Nothing learnt yet',
          text: 'Until then everything is tried: a refusal is repaired and remembered.',
        }}
      />
      {open !== undefined && (
        <Dialog
          isOpen
          onClose={() => setOpen(undefined)}
          title="Override a capability"
          lead="Wins over what the gateway learns."
        >
          <Form
            schema={schema}
            defaults={open}
            submit="Save override"
            onCancel={() => setOpen(undefined)}
            onSubmit={(values) => put.mutateAsync(values)}
          >
            <TextField name="profile_id" label="Profile" />
            <TextField name="beta_name" label="Beta" />
            <SelectField
              name="supported"
              label="This profile"
              choices={[
                { value: 'true', label: 'takes it' },
                { value: 'false', label: 'refuses it' },
              ]}
            />
            <TextField name="reason" label="Reason" hint="May be empty." />
          </Form>
        </Dialog>
      )}
    </Card>
  )
}
