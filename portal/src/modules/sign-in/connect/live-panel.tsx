/** What has arrived from this person's tools so far; asks again every few seconds and turns green with the first request. */
import { Link } from '@tanstack/react-router'
import { CircleAlert, CircleCheck, CircleDashed, CircleHelp, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Answer } from '../../../api/client.ts'
import { useGet } from '../../../api/queries.ts'
import { useMe } from '../../../api/session.ts'
import { Card } from '../../../ui/layout.tsx'
import { Failure, Wait } from '../../../ui/states.tsx'
import { Time } from '../../../ui/values.tsx'

const POLL_MS = 3000

type LastRequest = Answer<'/me/requests', 'get'>['data'][number]

export function LivePanel() {
  const me = useMe()
  const keys = useGet('/me/keys', { params: { query: { limit: 1, status: 'active' } } }, { refetchInterval: POLL_MS })
  const requests = useGet('/me/requests', { params: { query: { limit: 1 } } }, { refetchInterval: POLL_MS })
  const client = useGet('/me/client', undefined, { refetchInterval: POLL_MS })
  const error = requests.error ?? keys.error ?? client.error
  return (
    <Card title="Your connection" lead="Updates by itself.">
      {error !== null && (
        <div className="mb-3">
          <Failure error={error} title="The state cannot be read right now" />
        </div>
      )}
      <ul className="grid gap-3 sm:grid-cols-2 xl:grid-cols-4" aria-live="polite">
        <Step state="done" title="Signed in here">
          as {me.user?.subject ?? 'a key'}
        </Step>
        {keys.data === undefined ? (
          <NotAnswered title="Virtual key" error={keys.error} />
        ) : (
          <KeyStep hasKey={keys.data.data.length > 0} />
        )}
        {requests.data === undefined ? (
          <NotAnswered title="Requests" error={requests.error} />
        ) : (
          <RequestStep last={requests.data.data[0]} />
        )}
        {client.data === undefined || requests.data === undefined ? (
          <NotAnswered title="Models fetched" error={client.error ?? requests.error} />
        ) : (
          <ModelsStep listedAt={client.data.models_listed_at} hasRequests={requests.data.data.length > 0} />
        )}
      </ul>
    </Card>
  )
}

/** "Not yet" would send somebody whose client works to set it up again. */
function NotAnswered({ title, error }: { readonly title: string; readonly error: unknown }) {
  return error === null ? (
    <Step state="asked" title={<Wait width="w-24" />}>
      <Wait width="w-40" />
    </Step>
  ) : (
    <Step state="unknown" title={title}>
      Not known right now
    </Step>
  )
}

function KeyStep({ hasKey }: { readonly hasKey: boolean }) {
  return (
    <Step state={hasKey ? 'done' : 'open'} title="Virtual key">
      {hasKey ? 'You have an active one' : 'Only needed for programs without a person'}
    </Step>
  )
}

/** The last one counts: a client that worked yesterday and is refused today needs help today. */
function RequestStep({ last }: { readonly last: LastRequest | undefined }) {
  if (last === undefined)
    return (
      <Step state="open" title="First request">
        Waiting for one
      </Step>
    )
  // Other refusals are about what was asked, and prove that the connection works.
  const isRefused = [401, 403, 429].includes(last.status) || last.status >= 500
  return (
    <Step state={isRefused ? 'failed' : 'done'} title={isRefused ? 'The last request was refused' : 'Requests arrive'}>
      {isRefused ? `${last.status} ${last.error_type?.replaceAll('_', ' ') ?? ''}` : last.model}, <Time at={last.at} />.{' '}
      <Link to="/me/requests" className="underline">
        All of them
      </Link>
    </Step>
  )
}

/** A client that never asks shows only the models it was built with, and none with a long context. */
function ModelsStep({ listedAt, hasRequests }: { readonly listedAt: string | null; readonly hasRequests: boolean }) {
  if (listedAt !== null)
    return (
      <Step state="done" title="Models fetched">
        Your client asked for the list <Time at={listedAt} />
      </Step>
    )
  return (
    <Step state="open" title="Models fetched">
      {hasRequests
        ? 'Not yet: the client needs CLAUDE_CODE_ENABLE_GATEWAY_MODEL_DISCOVERY=1, which the setup command writes'
        : 'When your client asks for the list of models'}
    </Step>
  )
}

type StepState = 'asked' | 'unknown' | 'open' | 'done' | 'failed'

const looks: Readonly<Record<StepState, readonly [LucideIcon, string, word?: string]>> = {
  asked: [CircleDashed, 'text-text-3'],
  unknown: [CircleHelp, 'bg-sunken text-text-2'],
  open: [CircleDashed, 'bg-sunken text-text-2', 'not yet'],
  done: [CircleCheck, 'bg-ok-soft text-ok', 'done'],
  failed: [CircleAlert, 'bg-bad-soft text-bad', 'failed'],
}

function Step({
  state,
  title,
  children,
}: {
  readonly state: StepState
  readonly title: ReactNode
  readonly children: ReactNode
}) {
  const [Icon, look, word] = looks[state]
  return (
    <li className={`flex gap-2.5 rounded-8 px-3 py-2.5 ${look}`}>
      <Icon className="mt-0.5 size-4 shrink-0" aria-hidden />
      <div className="min-w-0">
        <p className="font-medium">
          {title}
          {word !== undefined && <span className="sr-only">: {word}</span>}
        </p>
        <p className="text-13 [overflow-wrap:anywhere]">{children}</p>
      </div>
    </li>
  )
}
