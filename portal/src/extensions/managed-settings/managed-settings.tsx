/** The documents that clients which signed in by themselves get, of everybody and of a team: the gateway adds its own part for each of them. */
import type { UseQueryResult } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import * as z from 'zod/mini'
import { type Answer, api } from '../../api/client.ts'
import { useGet, useWrite } from '../../api/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog.tsx'
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

type Values = z.infer<typeof schema>
type Document = Answer<'/admin/managed-settings', 'get'>

const parsed = ({ settings }: Values) => ({ body: { settings: JSON.parse(settings) as Record<string, unknown> } })
const saved = 'Saved. Clients ask for it about once an hour.'
const removed = 'Removed. Clients ask about once an hour.'

export function ManagedSettings() {
  const stored = useGet('/admin/managed-settings')
  const save = useWrite((values: Values) => api.put('/admin/managed-settings', parsed(values)), {
    refreshes: ['/admin/managed-settings'],
    done: saved,
    showsErrors: true,
  })
  const remove = useWrite(() => api.delete('/admin/managed-settings'), {
    refreshes: ['/admin/managed-settings'],
    done: removed,
    showsErrors: true,
  })
  return (
    <DocumentCard
      title="Settings for clients"
      lead="For clients that signed in with the gateway’s own sign-in. The web search rule and model discovery are added by the gateway; a team can have a document of its own, on its page."
      whose="everybody"
      stored={stored}
      save={(values) => save.mutateAsync(values)}
      remove={() => remove.mutateAsync(undefined)}
    />
  )
}

export function TeamManagedSettings({ team }: { readonly team: { readonly id: string; readonly name: string } }) {
  const at = { params: { path: { id: team.id } } }
  const stored = useGet('/admin/teams/{id}/managed-settings', at)
  const save = useWrite(
    (values: Values) => api.put('/admin/teams/{id}/managed-settings', { ...at, ...parsed(values) }),
    {
      refreshes: ['/admin/teams/{id}/managed-settings'],
      done: saved,
      showsErrors: true,
    },
  )
  const remove = useWrite(() => api.delete('/admin/teams/{id}/managed-settings', at), {
    refreshes: ['/admin/teams/{id}/managed-settings'],
    done: removed,
    showsErrors: true,
  })
  return (
    <DocumentCard
      title="Settings for clients of this team"
      lead={
        <>
          Laid over{' '}
          <a href="#/settings?tab=clients" className="text-accent underline">
            the document of everybody
          </a>
          : what stands here wins, and lists of what is denied add up. For clients that signed in with the gateway’s own
          sign-in.
        </>
      }
      whose={team.name}
      stored={stored}
      save={(values) => save.mutateAsync(values)}
      remove={() => remove.mutateAsync(undefined)}
    />
  )
}

interface Writes {
  readonly whose: string
  readonly save: (values: Values) => Promise<unknown>
  readonly remove: () => Promise<unknown>
}

interface DocumentCardProps extends Writes {
  readonly title: string
  readonly lead: ReactNode
  readonly stored: UseQueryResult<Document, unknown>
}

function DocumentCard({ title, lead, stored, ...writes }: DocumentCardProps) {
  return (
    <Card title={title} lead={lead}>
      <QueryView query={stored}>{(document) => <DocumentForm document={document} {...writes} />}</QueryView>
    </Card>
  )
}

function DocumentForm({ document, whose, save, remove }: Writes & { readonly document: Document }) {
  const [isAsking, setIsAsking] = useState(false)
  const close = (): void => setIsAsking(false)
  return (
    <>
      <Form
        followsDefaults
        schema={schema}
        defaults={{ settings: JSON.stringify(document.settings, null, 2) }}
        submit="Save"
        onSubmit={save}
        actions={
          document.updated_at !== null && (
            <Button icon={Trash2} tone="danger" onClick={() => setIsAsking(true)}>
              Remove
            </Button>
          )
        }
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
      {isAsking && (
        <Confirm isOpen onClose={close} title={`Remove the settings of ${whose}?`} action="Remove" onConfirm={remove}>
          Clients go back to what applies without them when they ask next, within about an hour.
        </Confirm>
      )}
    </>
  )
}
