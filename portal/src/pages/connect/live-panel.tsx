/** What has arrived from this person's tools so far; asks again every few seconds and turns green with the first request. */
import { CircleCheck, CircleDashed } from 'lucide-react'
import type { ReactNode } from 'react'
import { useGet } from '../../api/queries.ts'
import { useMe } from '../../api/session.ts'
import { Card } from '../../ui/layout.tsx'
import { Time } from '../../ui/values.tsx'

const POLL_MS = 3000

export function LivePanel() {
  const me = useMe()
  const keys = useGet('/me/keys', { params: { query: { limit: 200 } } }, { refetchInterval: POLL_MS })
  const usedAt = latest((keys.data?.data ?? []).map((key) => key.last_used_at))
  const hasKey = (keys.data?.data ?? []).some(({ status }) => status === 'active')
  return (
    <Card title="Your connection" lead="Updates by itself.">
      <ul className="grid gap-3 sm:grid-cols-3" aria-live="polite">
        <Step isDone title="Signed in here">
          as {me.user?.subject ?? 'a key'}
        </Step>
        <Step isDone={hasKey} title="Virtual key">
          {hasKey ? 'You have an active one' : 'Only needed for programs without a person'}
        </Step>
        <Step isDone={usedAt !== undefined} title="First request">
          {usedAt === undefined ? (
            'Waiting for one'
          ) : (
            <>
              Last one <Time at={usedAt} />
            </>
          )}
        </Step>
      </ul>
    </Card>
  )
}

export function latest(times: readonly (string | null)[]): string | undefined {
  return times
    .filter((time) => time !== null)
    .sort()
    .at(-1)
}

function Step({
  isDone,
  title,
  children,
}: {
  readonly isDone: boolean
  readonly title: string
  readonly children: ReactNode
}) {
  const Icon = isDone ? CircleCheck : CircleDashed
  return (
    <li className={`flex gap-2.5 rounded-8 px-3 py-2.5 ${isDone ? 'bg-ok-soft text-ok' : 'bg-sunken text-text-2'}`}>
      <Icon className="mt-0.5 size-4 shrink-0" aria-hidden />
      <div className="min-w-0">
        <p className="font-medium">
          {title}
          <span className="sr-only">{isDone ? ': done' : ': not yet'}</span>
        </p>
        <p className="text-13 [overflow-wrap:anywhere]">{children}</p>
      </div>
    </li>
  )
}
