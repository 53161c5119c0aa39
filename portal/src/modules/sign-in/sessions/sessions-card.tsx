/** Where somebody is signed in: each session with its program and place, and the ways to end it. */
import { Globe, type LucideIcon, Plug, Terminal } from 'lucide-react'
import { useState } from 'react'
import { useRights } from '../../../app/rights.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/layout.tsx'
import { Badge, Empty, QueryView } from '../../../ui/states.tsx'
import { Time } from '../../../ui/values.tsx'
import { EndAllQuestion, EndQuestion } from './end-questions.tsx'
import { type Person, type Session, useSessions } from './session-reads.ts'

const ways: Readonly<Record<Session['signed_in_with'], readonly [LucideIcon, string]>> = {
  password: [Globe, 'Password'],
  sso: [Globe, 'Single sign-on'],
  cli: [Terminal, 'Confirmed for a terminal'],
  device: [Plug, 'Claude Code’s own sign-in'],
}

/** `person` is undefined for one's own. */
export function SessionsCard({ person }: { readonly person?: Person }) {
  const [ending, setEnding] = useState<Session | 'all'>()
  const mayEnd = useRights().isAdmin || person === undefined
  const sessions = useSessions(person)
  const open = sessions.data?.data ?? []
  const close = (): void => setEnding(undefined)
  return (
    <Card
      title={person === undefined ? 'Where you are signed in' : 'Open sessions'}
      lead="Browsers, terminals and clients. Virtual keys are no sessions and stay when one ends."
      actions={
        mayEnd &&
        open.length > 0 && (
          <Button tone="danger" onClick={() => setEnding('all')}>
            Sign out everywhere
          </Button>
        )
      }
    >
      <QueryView query={sessions} rows={3}>
        {({ data, has_more: hasMore }) =>
          data.length === 0 ? (
            <Empty title="No open session">
              {person === undefined
                ? 'A session appears here a few seconds after its first use.'
                : 'This person is signed in nowhere. Keys of theirs may still be in use.'}
            </Empty>
          ) : (
            <>
              <ul className="-my-1 divide-y divide-line">
                {data.map((session) => (
                  <SessionRow
                    key={session.id}
                    session={session}
                    onEnd={mayEnd ? () => setEnding(session) : undefined}
                  />
                ))}
              </ul>
              {hasMore && <p className="mt-2 text-12 text-text-3">The {data.length} that were used last.</p>}
            </>
          )
        }
      </QueryView>
      {ending === 'all' && (
        <EndAllQuestion
          person={person}
          count={open.length}
          hasMore={sessions.data?.has_more === true}
          onClose={close}
        />
      )}
      {ending !== undefined && ending !== 'all' && <EndQuestion person={person} session={ending} onClose={close} />}
    </Card>
  )
}

function SessionRow({ session, onEnd }: { readonly session: Session; readonly onEnd: (() => void) | undefined }) {
  const [Icon, way] = ways[session.signed_in_with]
  const name = session.client ?? 'Unknown program'
  return (
    <li className="flex flex-wrap items-start gap-x-3 gap-y-2 py-3">
      <Icon className="mt-0.5 size-4 shrink-0 text-text-3" aria-hidden />
      <div className="min-w-0 flex-1 basis-52">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          <span className="[overflow-wrap:anywhere]">{name}</span>
          {session.current && <Badge tone="info">This session</Badge>}
        </p>
        <p className="mt-0.5 text-13 text-text-2 [overflow-wrap:anywhere]">
          {way}
          {session.source_address !== null && ` from ${session.source_address}`}, <Time at={session.created_at} />
        </p>
        <p className="text-13 text-text-3">
          Last used <Time at={session.last_used_at} />, ends <Time at={session.expires_at} isAhead />
        </p>
      </div>
      {onEnd !== undefined && (
        <Button aria-label={`Sign out ${name}`} className="max-sm:ml-7" onClick={onEnd}>
          Sign out
        </Button>
      )}
    </li>
  )
}
