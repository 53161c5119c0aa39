/** Application inference profiles that an endpoint uses in place of a model's own. */
import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import * as z from 'zod/mini'
import { api } from '../../api/client.ts'
import { useWrite } from '../../api/queries.ts'
import { useRights } from '../../app/rights.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Confirm, Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/fields.tsx'
import { Form } from '../../ui/form.tsx'
import { Card } from '../../ui/layout.tsx'
import { PlainTable } from '../../ui/plain-table.tsx'
import { Nothing } from '../../ui/values.tsx'
import { type Endpoint, endpointPaths } from './endpoint-facts.tsx'

type Override = Endpoint['aip_overrides'][number]

const schema = z.object({
  model_id: z.string().check(z.trim(), z.minLength(1, 'The id that clients ask for, such as claude-opus-5.')),
  aip_arn: z
    .string()
    .check(
      z.trim(),
      z.regex(
        /^arn:aws[a-z-]*:bedrock:.+:application-inference-profile\/.+$/,
        'The ARN of an application inference profile.',
      ),
    ),
  reason: z.string().check(z.trim(), z.maxLength(500, 'At most 500 characters.')),
})

export function Overrides({ endpoint }: { readonly endpoint: Endpoint }) {
  const [isAdding, setIsAdding] = useState(false)
  const [leaving, setLeaving] = useState<Override>()
  const { isAdmin } = useRights()
  const put = useWrite(
    ({ reason, ...values }: z.infer<typeof schema>) =>
      api.post('/admin/endpoints/{id}/aip-overrides', {
        params: { path: { id: endpoint.id } },
        body: { ...values, ...(reason === '' ? {} : { reason }) },
      }),
    { refreshes: endpointPaths, done: 'The override is saved.', onDone: () => setIsAdding(false), showsErrors: true },
  )
  const remove = useWrite(
    ({ model_id }: Override) =>
      api.delete('/admin/endpoints/{id}/aip-overrides/{model_id}', { params: { path: { id: endpoint.id, model_id } } }),
    { refreshes: endpointPaths, done: 'The override is removed.', showsErrors: true },
  )
  return (
    <Card
      title="Application inference profiles"
      lead="For a model with a row here this endpoint calls that profile, for example to tag its cost."
      actions={
        isAdmin && (
          <Button icon={Plus} onClick={() => setIsAdding(true)}>
            Add override
          </Button>
        )
      }
      isFlush
    >
      <PlainTable
        caption="Overrides"
        rows={endpoint.aip_overrides}
        rowId={({ model_id }) => model_id}
        empty="None: every model uses the profile of the scope."
        columns={[
          { id: 'model', header: 'Model', cell: ({ model_id }) => model_id },
          {
            id: 'arn',
            header: 'Profile',
            cell: ({ aip_arn }) => <code className="font-mono text-12 [overflow-wrap:anywhere]">{aip_arn}</code>,
          },
          { id: 'reason', header: 'Reason', isMinor: true, cell: ({ reason }) => reason ?? <Nothing /> },
          { id: 'by', header: 'Set by', isMinor: true, cell: ({ set_by }) => set_by },
          ...(isAdmin
            ? [
                {
                  id: 'actions',
                  header: 'Remove',
                  align: 'right' as const,
                  cell: (row: Override) => (
                    <IconButton
                      icon={Trash2}
                      label={`Remove the override of ${row.model_id}`}
                      onClick={() => setLeaving(row)}
                    />
                  ),
                },
              ]
            : []),
        ]}
      />
      <Dialog
        isOpen={isAdding}
        onClose={() => setIsAdding(false)}
        title="Add an override"
        lead={`On ${endpoint.name} only.`}
      >
        <Form
          schema={schema}
          defaults={{ model_id: '', aip_arn: '', reason: '' }}
          submit="Save override"
          onCancel={() => setIsAdding(false)}
          onSubmit={(values) => put.mutateAsync(values)}
        >
          <TextField
            name="model_id"
            label="Model"
            placeholder="claude-opus-5"
            hint="Dated names and [1m] of the model follow."
          />
          <TextField
            name="aip_arn"
            label="Application inference profile"
            placeholder="arn:aws:bedrock:…:application-inference-profile/…"
          />
          <TextField name="reason" label="Reason" hint="For whoever asks later. May be empty." />
        </Form>
      </Dialog>
      <Confirm
        isOpen={leaving !== undefined}
        onClose={() => setLeaving(undefined)}
        title={`Remove the override of ${leaving?.model_id}?`}
        action="Remove"
        onConfirm={async () => leaving !== undefined && (await remove.mutateAsync(leaving))}
      >
        Calls of this model go to the profile of the scope again, and their cost loses the tags of the application
        profile.
      </Confirm>
    </Card>
  )
}
