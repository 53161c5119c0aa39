/** Before a key is rotated, revoked or deleted: what will happen, said before it does. */
import { useState } from 'react'
import * as z from 'zod/mini'
import { api } from '../../api/client.ts'
import { useWrite } from '../../api/queries.ts'
import { Confirm, Dialog } from '../../ui/dialog.tsx'
import { SelectField } from '../../ui/fields.tsx'
import { Form } from '../../ui/form.tsx'
import { formatAgo } from '../../ui/format.ts'
import { KeySecret } from './key-secret.tsx'
import { type Key, keyPaths, type NewKey, type Owner, revokeKey, rotateKey } from './key-writes.ts'

export interface Question {
  readonly kind: 'rotate' | 'revoke' | 'delete'
  readonly key: Key
}

interface QuestionProps {
  readonly question: Question
  readonly owner: Owner
  readonly onClose: () => void
  readonly onDeleted?: () => void
}

export function KeyQuestion({ question, owner, onClose, onDeleted }: QuestionProps) {
  if (question.kind === 'rotate') return <Rotate keyRecord={question.key} owner={owner} onClose={onClose} />
  if (question.kind === 'revoke') return <Revoke keyRecord={question.key} owner={owner} onClose={onClose} />
  return <Delete keyRecord={question.key} onClose={onClose} onDeleted={onDeleted} />
}

interface KeyProps {
  readonly keyRecord: Key
  readonly onClose: () => void
}

function Revoke({ keyRecord, owner, onClose }: KeyProps & { readonly owner: Owner }) {
  const revoke = useWrite((id: string) => revokeKey(owner, id), {
    refreshes: keyPaths,
    done: `“${keyRecord.name}” is revoked`,
    showsErrors: true,
  })
  const used =
    keyRecord.last_used_at === null ? 'It was never used.' : `It was last used ${formatAgo(keyRecord.last_used_at)}.`
  return (
    <Confirm
      isOpen
      onClose={onClose}
      title={`Revoke “${keyRecord.name}”?`}
      action="Revoke"
      onConfirm={() => revoke.mutateAsync(keyRecord.id)}
    >
      {used} Whatever uses it is refused at once, on every instance within five seconds. This cannot be undone.
    </Confirm>
  )
}

function Delete({ keyRecord, onClose, onDeleted }: KeyProps & { readonly onDeleted: (() => void) | undefined }) {
  const remove = useWrite((id: string) => api.delete('/admin/keys/{key_id}', { params: { path: { key_id: id } } }), {
    refreshes: ['/me/keys'],
    refreshesList: '/admin/keys',
    done: `“${keyRecord.name}” is deleted`,
    onDone: () => onDeleted?.(),
    showsErrors: true,
  })
  return (
    <Confirm
      isOpen
      onClose={onClose}
      title={`Delete “${keyRecord.name}”?`}
      action="Delete"
      onConfirm={() => remove.mutateAsync(keyRecord.id)}
    >
      The key leaves this list. What it cost stays in the records.
    </Confirm>
  )
}

const graceChoices = [
  { value: '0', label: 'Stop it now' },
  { value: '3600', label: '1 hour' },
  { value: '86400', label: '1 day' },
  { value: '604800', label: '7 days' },
] as const

const rotateSchema = z.object({ grace_seconds: z.string() })

function Rotate({ keyRecord, owner, onClose }: KeyProps & { readonly owner: Owner }) {
  const [made, setMade] = useState<NewKey>()
  const rotate = useWrite((seconds: number) => rotateKey(owner, keyRecord.id, seconds), {
    refreshes: keyPaths,
    onDone: setMade,
    showsErrors: true,
  })
  if (made !== undefined) return <KeySecret made={made} owner={owner} onClose={onClose} />
  // The secret that is on its way is shown only once, and here.
  const close = (): void => {
    if (!rotate.isPending) onClose()
  }
  return (
    <Dialog
      isOpen
      onClose={close}
      title={`Rotate “${keyRecord.name}”`}
      lead="A new secret with the same name, owner and limits. The old one can go on working while you replace it."
    >
      <Form
        schema={rotateSchema}
        defaults={{ grace_seconds: '86400' }}
        submit="Rotate"
        onCancel={close}
        onSubmit={({ grace_seconds }) => rotate.mutateAsync(Number(grace_seconds))}
      >
        <SelectField name="grace_seconds" label="The old key works for another" choices={graceChoices} />
      </Form>
    </Dialog>
  )
}
