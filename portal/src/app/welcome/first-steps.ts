/** What a new gateway needs before people use it, each judged by what the gateway says about itself. */
import type { Answer } from '../../api/client.ts'
import { useGet } from '../../api/queries.ts'

/** In local storage, when somebody does not want to see the steps on Home. */
export const DISMISSED = 'causeway.first-steps-dismissed'

export interface FirstStep {
  readonly id: 'endpoint' | 'sso' | 'budget' | 'notification' | 'people' | 'request'
  readonly title: string
  readonly why: string
  readonly state: 'done' | 'open' | 'unknown'
  /** What was found. */
  readonly finding: string
  readonly to: string
  readonly action: string
}

export interface FirstSteps {
  readonly steps: readonly FirstStep[]
  readonly error: unknown
  readonly refetch: () => void
  readonly isFetching: boolean
  /** Whether an answer is still on its way that was never there: until then no step is known to be open. */
  readonly isLoading: boolean
}

export function useFirstSteps(isEnabled = true): FirstSteps {
  const options = { enabled: isEnabled }
  const endpoints = useGet('/admin/endpoints', undefined, options)
  const idps = useGet('/admin/idps', undefined, options)
  const settings = useGet('/admin/settings', undefined, options)
  const notifications = useGet('/admin/notifications/config', undefined, options)
  const people = useGet('/admin/users', { params: { query: { limit: 2 } } }, options)
  const keys = useGet('/admin/keys', { params: { query: { limit: 1, sort: '-last_used_at' } } }, options)
  const calls = useGet('/me/requests', { params: { query: { limit: 1, status: 'ok' } } }, options)
  const reads = [endpoints, idps, settings, notifications, people, keys, calls]
  const healthy = endpoints.data?.data.filter((one) => one.health_status === 'healthy').length
  const providers = idps.data?.data.filter((one) => one.enabled).length
  const steps: FirstStep[] = [
    {
      id: 'endpoint',
      title: 'Reach the models',
      why: 'An endpoint is an account and a region of Amazon Bedrock. The first one was made from the gateway’s own region.',
      ...judged(
        healthy,
        (count) => count > 0,
        (count) => `${count} of ${endpoints.data?.data.length ?? 0} healthy`,
      ),
      to: '/endpoints',
      action: 'Endpoints',
    },
    {
      id: 'sso',
      title: 'Let people sign in',
      why: 'With an identity provider everybody uses their company account, and leaving the company ends their access.',
      ...judged(
        providers,
        (count) => count > 0,
        (count) => (count === 1 ? '1 provider' : `${count} providers`),
      ),
      to: '/access',
      action: 'Sign-in',
    },
    {
      id: 'budget',
      title: 'Set a default budget',
      why: 'It holds for everybody without one of their own, so that no single person can surprise you.',
      ...judged(
        settings.data,
        (data) => (data['default_budget'] ?? null) !== null,
        (data) => ((data['default_budget'] ?? null) === null ? 'none set' : 'set'),
      ),
      to: '/budgets',
      action: 'Budgets',
    },
    {
      id: 'notification',
      title: 'Hear of it in time',
      why: 'Budgets that run out and limits that are hit are sent to a webhook, a topic or an event bus.',
      ...judged(
        notifications.data,
        (data) => data.active !== null || data.env_fallback !== null,
        (data) => (data.active === null && data.env_fallback === null ? 'no destination' : 'a destination is active'),
      ),
      to: '/notifications',
      action: 'Notifications',
    },
    {
      id: 'people',
      title: 'Bring people in',
      why: 'Send them the address of this page: they sign in, and Connect gives them one command.',
      ...judged(
        people.data,
        (data) => data.data.length > 1,
        (data) => (data.data.length > 1 ? 'there are others' : 'only you so far'),
      ),
      to: '/users',
      action: 'People',
    },
    {
      id: 'request',
      title: 'Send a request',
      why: 'Connect your own Claude Code first: it takes one command and proves that everything above works.',
      ...judged(
        wasAnswered(keys.data, calls.data),
        (isAnswered) => isAnswered,
        (isAnswered) => (isAnswered ? 'one was answered' : 'none was answered yet'),
      ),
      to: '/connect',
      action: 'Connect',
    },
  ]
  return {
    steps,
    error: reads.find(({ error }) => error !== null)?.error ?? null,
    refetch: () => {
      for (const read of reads) void read.refetch()
    },
    isFetching: reads.some((read) => read.isFetching),
    isLoading: reads.some((read) => read.isLoading),
  }
}

/** By a key of anybody, or by the session with which Connect sets up one's own client. */
function wasAnswered(
  keys: Answer<'/admin/keys', 'get'> | undefined,
  calls: Answer<'/me/requests', 'get'> | undefined,
): boolean | undefined {
  if (keys === undefined || calls === undefined) return undefined
  return calls.data.length > 0 || keys.data.some((key) => key.last_used_at !== null)
}

function judged<T>(
  data: T | undefined,
  isDone: (data: T) => boolean,
  finding: (data: T) => string,
): Pick<FirstStep, 'state' | 'finding'> {
  if (data === undefined) return { state: 'unknown', finding: 'not known' }
  return { state: isDone(data) ? 'done' : 'open', finding: finding(data) }
}
