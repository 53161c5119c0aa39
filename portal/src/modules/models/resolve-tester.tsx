/** Type a name, see every step of its resolution and what each endpoint would call. */
import { Check, Minus } from 'lucide-react'
import * as z from 'zod/mini'
import { type Answer, api } from '../../api/client.ts'
import { useWrite } from '../../api/queries.ts'
import { TextField } from '../../ui/fields.tsx'
import { Form } from '../../ui/form.tsx'
import { Card } from '../../ui/layout.tsx'
import { PlainTable } from '../../ui/plain-table.tsx'
import { Callout } from '../../ui/states.tsx'
import { useUrlState } from '../../ui/url-state.ts'
import { Nothing } from '../../ui/values.tsx'
import { Health } from '../endpoints/endpoint-facts.tsx'

type Resolution = Answer<'/admin/models/resolve', 'post'>

const schema = z.object({ model: z.string().check(z.trim(), z.minLength(1, 'A model id.')) })

export function ResolveTester() {
  const [state, setState] = useUrlState()
  const resolve = useWrite((model: string) => api.post('/admin/models/resolve', { body: { model } }), {
    showsErrors: true,
  })
  return (
    <>
      <Card title="What does this name mean?" lead="Nothing is sent to a model.">
        <Form
          schema={schema}
          defaults={{ model: state['model'] ?? '' }}
          submit="Resolve"
          failureTitle="This could not be resolved"
          onSubmit={async ({ model }) => {
            setState({ model })
            await resolve.mutateAsync(model)
          }}
        >
          <TextField name="model" label="Model id" placeholder="claude-opus-5[1m]" />
        </Form>
      </Card>
      {resolve.data !== undefined && <Shown resolution={resolve.data} />}
    </>
  )
}

function Shown({ resolution }: { readonly resolution: Resolution }) {
  return (
    <>
      <Callout
        tone={resolution.resolved ? 'ok' : 'bad'}
        title={
          resolution.resolved
            ? `${resolution.model} is ${resolution.hosted_model_id}`
            : `${resolution.model} is not found`
        }
      >
        {resolution.resolved
          ? resolution.long_context && 'With the long context window.'
          : 'A client that asks for it gets 404. Add a mapping, or look whether an endpoint offers it.'}
      </Callout>
      <Card title="Steps">
        <ol className="flex flex-col gap-2">
          {resolution.steps.map(({ step, matched, detail }) => (
            <li key={step} className="flex gap-2">
              {matched ? (
                <Check className="mt-0.5 size-4 shrink-0 text-ok" aria-hidden />
              ) : (
                <Minus className="mt-0.5 size-4 shrink-0 text-text-3" aria-hidden />
              )}
              <span>
                <span className="font-medium">{step}</span>{' '}
                <span className="sr-only">{matched ? 'matched' : 'did not match'}</span>
                <span className="block text-text-2">{detail}</span>
              </span>
            </li>
          ))}
        </ol>
      </Card>
      <Card title="Endpoints" isFlush>
        <PlainTable
          caption="What each endpoint would call"
          rows={resolution.endpoints}
          rowId={({ endpoint_id }) => endpoint_id}
          empty="No endpoint would be asked."
          columns={[
            { id: 'name', header: 'Endpoint', cell: ({ name }) => name },
            { id: 'health', header: 'Health', cell: ({ health_status }) => <Health status={health_status} /> },
            {
              id: 'id',
              header: 'Would call',
              cell: ({ invoked_id: id }) =>
                id === null ? <Nothing /> : <code className="font-mono text-12 [overflow-wrap:anywhere]">{id}</code>,
            },
            { id: 'detail', header: 'Why', isMinor: true, cell: ({ detail }) => detail },
          ]}
        />
      </Card>
    </>
  )
}
