/** Makes a destination the active one, as a person would: saved as a draft, tested, activated. */

import { isShownAddress, shownAddress } from '../../../src/foundation/domain/shown-address.ts'
import { defined } from '../../../src/foundation/platform/defined.ts'
import type { Client } from '../../client/http-client.ts'
import type { Row } from '../../output/render.ts'
import { CliError, usageError } from '../../terminal/cli-error.ts'
import type { Step } from './plan.ts'

const BASE = '/admin/notifications'

/** A secret has no place in a file: it is kept from the active destination, or from a draft that was saved beforehand. */
export async function putDestination(client: Client, { resource }: Step): Promise<void> {
  const { destination_type: type, destination: written, has_secret: hasSecret } = resource.fields
  const { active, draft }: Row = await client.get(`${BASE}/config`)
  const destination = wholeAddress(String(written), draft)
  const isKept = [draft, active].some((stored) => keepsSecret(stored, type, destination))
  if (type === 'webhook' && hasSecret === true && !isKept)
    throw usageError(
      `the secret that signs the webhook has no place in a file; save it with "causeway notifications draft webhook ${shownAddress(destination)} --secret-file <path>"`,
    )
  // A draft hides the secret of the active destination.
  if (isKept && draft !== null && !keepsSecret(draft, type, destination)) await client.send('DELETE', `${BASE}/draft`)
  await client.send('PUT', `${BASE}/config`, {
    destination_type: type,
    destination,
    ...(isKept && hasSecret !== false ? {} : { secret: null }),
    // Else those of a draft would take their place.
    ...defined({ categories: active?.categories }),
  })
  const test = await client.send('POST', `${BASE}/test`, {})
  if (test.success !== true)
    throw new CliError(
      `a test event was not delivered to ${shownAddress(destination)}: ${test.error}; it is saved as a draft`,
      {
        exit: 'checkFailed',
      },
    )
  await client.send('POST', `${BASE}/activate`, {})
}

/** Of a webhook an exported file has the origin: the rest is taken from a draft that was saved beforehand. */
function wholeAddress(written: string, draft: Row): string {
  if (!isShownAddress(written)) return written
  if (draft?.destination_type === 'webhook' && shownAddress(draft.destination) === written) return draft.destination
  throw usageError(
    `the file has only the origin of ${written}, since the rest of the address may be a secret; write it whole, or save it with "causeway notifications draft webhook <address>"`,
  )
}

/** As a gateway decides it: a secret stays with the host that it was stored for. */
function keepsSecret(stored: Row, type: unknown, destination: string): boolean {
  return stored?.has_secret === true && type === 'webhook' && isSameHost(stored.destination, destination)
}

function isSameHost(one: string, other: string): boolean {
  return URL.canParse(one) && URL.canParse(other) && new URL(one).origin === new URL(other).origin
}
