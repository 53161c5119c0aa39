/** One's keys that end within a week, with what to do before a program stops to work. */
import { Plus } from 'lucide-react'
import type { Answer } from '../../api/client.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { formatCounted, formatTime } from '../../ui/format.ts'
import { Callout } from '../../ui/states.tsx'

type Key = Answer<'/me/keys', 'get'>['data'][number]
type EndingKey = Key & { readonly expires_at: string }

const DAY_MS = 86_400_000
/** As long before as administrators are told. */
const WEEK_MS = 7 * DAY_MS

export function EndingKeys({ keys }: { readonly keys: readonly Key[] }) {
  const nowMs = Date.now()
  const ending = keys
    .filter((key): key is EndingKey => isEnding(key, nowMs))
    .sort((a, b) => (a.expires_at < b.expires_at ? -1 : 1))
  const [first] = ending
  if (first === undefined) return null
  const isOne = ending.length === 1
  return (
    <Callout
      tone="warn"
      title={
        isOne
          ? `Your key “${first.name}” expires ${timeLeft(first, nowMs)}`
          : `${ending.length} of your keys expire soon`
      }
      action={
        <ButtonLink to="/keys" search={{ new: '1' }} icon={Plus}>
          New key
        </ButtonLink>
      }
    >
      {isOne ? (
        <>It ends {formatTime(first.expires_at)}. </>
      ) : (
        <ul className="my-1">
          {ending.map((key) => (
            <li key={key.id}>
              “{key.name}” expires {timeLeft(key, nowMs)}, {formatTime(key.expires_at)}
            </li>
          ))}
        </ul>
      )}
      Programs that use {isOne ? 'it' : 'them'} are refused from then on. Make a new key and put it in the place of the
      old one; rotating keeps the expiry.
    </Callout>
  )
}

/** A key that was rotated has a successor already. */
function isEnding({ expires_at: at, revoked_at: revokedAt }: Key, nowMs: number): boolean {
  return at !== null && revokedAt === null && new Date(at).getTime() - nowMs <= WEEK_MS
}

/** Counted up as in the notices: a key of which 30 hours are left has 2 days. */
function timeLeft({ expires_at: at }: EndingKey, nowMs: number): string {
  const days = Math.ceil((new Date(at).getTime() - nowMs) / DAY_MS)
  return days <= 1 ? 'within a day' : `in ${formatCounted(days, 'day')}`
}
