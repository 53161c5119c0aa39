/** What a check found, and how to mend it. */
import { isNeeded, type PermissionRow, toAction } from '../../modules/endpoints/endpoint-permissions.ts'

export interface Finding {
  /** Stable, for programs: `database.migrations`. */
  readonly id: string
  readonly status: 'pass' | 'warn' | 'fail' | 'skip'
  readonly detail: string
  readonly fix?: string
}

export const pass = (id: string, detail: string): Finding => ({ id, status: 'pass', detail })
export const skip = (id: string, detail: string): Finding => ({ id, status: 'skip', detail })
export const warn = (id: string, detail: string, fix: string): Finding => ({ id, status: 'warn', detail, fix })
export const fail = (id: string, detail: string, fix: string): Finding => ({ id, status: 'fail', detail, fix })

/** Signatures and tokens stop working when a clock is further away than this. */
const MOST_SKEW_MS = 60_000
const SHOWN_SKEW_MS = 5_000

export function clockFinding(id: string, aheadMs: number, whose: string): Finding {
  const seconds = `${Math.abs(aheadMs / 1_000).toFixed(1)} s ${aheadMs > 0 ? 'ahead of' : 'behind'} this machine`
  const fix = 'set the clocks by NTP: signatures and tokens are refused when they drift apart'
  if (Math.abs(aheadMs) > MOST_SKEW_MS) return fail(id, `the clock of ${whose} is ${seconds}`, fix)
  if (Math.abs(aheadMs) > SHOWN_SKEW_MS) return warn(id, `the clock of ${whose} is ${seconds}`, fix)
  return pass(id, `the clock of ${whose} agrees within ${Math.max(1, Math.ceil(Math.abs(aheadMs) / 1_000))} s`)
}

export interface CheckedEndpoint {
  readonly name: string
  readonly hasOwnProfiles: boolean
}

/** As the API and the checks on this machine give it. */
export interface EndpointWarningRow {
  readonly code: 'override_model_mismatch' | 'no_inference_profile'
  readonly model_id: string | null
  readonly message: string
}

export function warningFinding(name: string, { code, model_id, message }: EndpointWarningRow): Finding {
  const fix =
    code === 'override_model_mismatch'
      ? `causeway aip set ${name} ${model_id} <arn>`
      : `causeway endpoints update ${name} --prefix <prefix>, or --region <region>`
  return warn(`endpoint.${name}.${code}`, `${name}: ${message}`, fix)
}

export function permissionFinding({ name, hasOwnProfiles }: CheckedEndpoint, row: PermissionRow): Finding {
  const { permission, status, message } = row
  const id = `endpoint.${name}.${permission}`
  const action = toAction(row)
  if (status === 'ok') return pass(id, `${name}: ${action} is allowed`)
  if (status === 'not_checked')
    return skip(id, `${name}: ${action} was not tried${message === null ? '' : ` (${message})`}`)
  const detail = `${name}: ${action} ${status === 'denied' ? 'is denied' : 'failed'}${message === null ? '' : `: ${message}`}`
  if (permission === 'quotas') return warn(id, detail, `allow ${action} to see quotas; nothing else needs it`)
  if (!isNeeded(row, hasOwnProfiles))
    return skip(id, `${detail}; only application profiles need it, and there are none`)
  const access =
    permission === 'invoke' || permission === 'stream'
      ? ', and enable access to the model in the account and region'
      : ''
  return fail(
    id,
    detail,
    status === 'denied'
      ? `allow ${action} to the endpoint's credentials${access}`
      : `look at the message${access}; then check again`,
  )
}
