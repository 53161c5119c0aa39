/** A program asks to act in a person's name: compare the code, then say yes or no. Nothing happens without the button. */
import { useState } from 'react'
import * as z from 'zod/mini'
import { toApiError } from '../../../api/api-error.ts'
import { type Answer, api } from '../../../api/client.ts'
import { useGet, useWrite } from '../../../api/queries.ts'
import { useMe } from '../../../api/session.ts'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/fields.tsx'
import { Form } from '../../../ui/form.tsx'
import { formatTime } from '../../../ui/format.ts'
import { Card, Facts } from '../../../ui/layout.tsx'
import { Callout, Failure, Loading } from '../../../ui/states.tsx'
import { useUrlState } from '../../../ui/url-state.ts'

export function DevicePage() {
  const [{ user_code: code }] = useUrlState()
  return code === undefined ? <EnterCode /> : <Question code={code} />
}

const codeSchema = z.object({ user_code: z.string().check(z.trim(), z.minLength(1, 'Enter the code.')) })

function EnterCode() {
  const [, setState] = useUrlState()
  return (
    <Card>
      <h1 className="text-20 font-semibold tracking-tight">Enter the code</h1>
      <p className="mt-1 mb-4 text-text-2">It stands in the terminal where you began to sign in.</p>
      <Form
        schema={codeSchema}
        defaults={{ user_code: '' }}
        submit="Continue"
        onSubmit={async (values) => setState(values, { isStep: true })}
      >
        <TextField name="user_code" label="Code" autoCapitalize="characters" spellCheck={false} />
      </Form>
    </Card>
  )
}

function Question({ code }: { readonly code: string }) {
  const request = useGet('/auth/cli/request', { params: { query: { user_code: code } } })
  if (request.data !== undefined) return <Asked request={request.data} />
  if (request.error === null) return <Loading label="Looking for the code" />
  if (toApiError(request.error).status === 404)
    return (
      <Outcome title="Nothing to confirm">
        This sign-in is over, was answered already, or the code is wrong. Begin again in the terminal.
      </Outcome>
    )
  return <Failure error={request.error} retry={() => void request.refetch()} />
}

function Asked({ request }: { readonly request: Answer<'/auth/cli/request', 'get'> }) {
  const me = useMe()
  const [answered, setAnswered] = useState<'yes' | 'no'>()
  const answer = useWrite(
    (approve: boolean) => {
      const body = { user_code: request.user_code, approve }
      return request.kind === 'device' ? api.post('/device', { body }) : api.post('/auth/cli/complete', { body })
    },
    { showsErrors: true },
  )
  if (answered === 'yes') return <Outcome title="Signed in">Go back to the terminal. You can close this page.</Outcome>
  if (answered === 'no') return <Outcome title="Refused">The program was not signed in.</Outcome>
  const say = (approve: boolean): void =>
    answer.mutate(approve, { onSuccess: () => setAnswered(approve ? 'yes' : 'no') })
  return (
    <Card>
      <h1 className="text-20 font-semibold tracking-tight">Is this you?</h1>
      <p className="mt-1 text-text-2">
        A program asks to act in your name. Say yes only if you began this yourself and your terminal shows the same
        code.
      </p>
      <p className="code my-4 rounded-8 bg-sunken py-4 text-center font-mono text-24 font-semibold tracking-[0.12em]">
        {request.user_code}
      </p>
      <Facts
        facts={[
          { name: 'You are', value: me.user?.subject ?? '' },
          { name: 'Asked from', value: request.asked_from },
          { name: 'Program', value: request.client ?? 'unknown' },
          { name: 'Asked at', value: formatTime(request.asked_at) },
          { name: 'Valid until', value: formatTime(request.expires_at) },
        ]}
      />
      {answer.error !== null && (
        <div className="mt-4">
          <Failure error={answer.error} title="Your answer was not taken" />
        </div>
      )}
      <div className="mt-5 grid grid-cols-2 gap-2">
        <Button tone="primary" isBusy={answer.isPending && answer.variables} onClick={() => say(true)}>
          Yes, sign it in
        </Button>
        <Button isBusy={answer.isPending && !answer.variables} onClick={() => say(false)}>
          No
        </Button>
      </div>
    </Card>
  )
}

function Outcome({ title, children }: { readonly title: string; readonly children: string }) {
  return (
    <Card>
      <h1 className="mb-3 text-20 font-semibold tracking-tight">{title}</h1>
      <Callout tone={title === 'Signed in' ? 'ok' : 'info'}>{children}</Callout>
      <div className="mt-4">
        <ButtonLink to="/">Go to the portal</ButtonLink>
      </div>
    </Card>
  )
}
