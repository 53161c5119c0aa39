/** The document that clients which signed in by themselves get: the gateway adds its own part for each of them. */
import * as z from 'zod/mini'
import { api } from '../../api/client.ts'
import { useGet, useWrite } from '../../api/queries.ts'
import { TextAreaField } from '../../ui/fields.tsx'
import { Form } from '../../ui/form.tsx'
import { Card } from '../../ui/layout.tsx'
import { QueryView } from '../../ui/states.tsx'
import { Time } from '../../ui/values.tsx'

const schema = z.object({
  settings: z.string().check(z.refine(isObject, 'One JSON object, such as {"permissions": {"deny": ["WebFetch"]}}.')),
})

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}

export function ManagedSettings() {
  const stored = useGet('/admin/managed-settings')
  const save = useWrite(
    ({ settings }: z.infer<typeof schema>) =>
      api.put('/admin/managed-settings', { body: { settings: JSON.parse(settings) as Record<string, unknown> } }),
    {
      refreshes: ['/admin/managed-settings'],
      done: 'Saved. Clients ask for it about once an hour.',
      showsErrors: true,
    },
  )
  return (
    <Card
      title="Settings for clients"
      lead="For clients that signed in with the gateway’s own sign-in. The web search rule and model discovery are added by the gateway."
    >
      <QueryView query={stored}>
        {(document) => (
          <Form
            followsDefaults
            schema={schema}
            defaults={{ settings: JSON.stringify(document.settings, null, 2) }}
            submit="Save"
            onSubmit={(values) => save.mutateAsync(values)}
          >
            <TextAreaField
              name="settings"
              label="JSON document"
              rows={14}
              spellCheck={false}
              hint={
                document.updated_at === null ? (
                  'Nobody has set one yet.'
                ) : (
                  <>
                    Changed <Time at={document.updated_at} isExact /> by {document.updated_by}.
                  </>
                )
              }
            />
          </Form>
        )}
      </QueryView>
    </Card>
  )
}
