/** How an endpoint and its state are written, in lists and on its own page. */
import type { Answer } from '../../api/client.ts'
import { Badge, type Tone } from '../../ui/states.tsx'

export type Endpoint = Answer<'/admin/endpoints', 'get'>['data'][number]
export type HealthStatus = Endpoint['health_status']

/** A change of one is seen on all of these. */
export const endpointPaths = ['/admin/endpoints', '/admin/status', '/admin/teams'] as const

const words: Readonly<Record<HealthStatus, readonly [tone: Tone, word: string]>> = {
  healthy: ['ok', 'Healthy'],
  unhealthy: ['bad', 'Unhealthy'],
  unknown: ['neutral', 'Not checked yet'],
}

export function Health({ status, isEnabled = true }: { readonly status: HealthStatus; readonly isEnabled?: boolean }) {
  if (!isEnabled) return <Badge>Disabled</Badge>
  const [tone, word] = words[status]
  return <Badge tone={tone}>{word}</Badge>
}

/** Of role ARNs the account matters; without one it is the gateway's own. */
export function readAccount(roleArn: string | null): string {
  return roleArn === null ? 'own account' : (roleArn.split(':')[4] ?? roleArn)
}

export const prefixes = ['us', 'eu', 'apac', 'au', 'jp', 'in', 'us-gov', 'global'] as const

export const strategies = [
  { value: 'sticky_user', label: 'Sticky: a person stays with one endpoint' },
  { value: 'primary_fallback', label: 'Primary: always the first that works' },
  { value: 'round_robin', label: 'Turns: each call goes to the next' },
] as const
