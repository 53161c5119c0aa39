/** What is done to a key, whoever's it is: administrators and owners differ in the address only. */
import { type Context, change } from '../../command/context.ts'
import { isDocumentFormat, type Row } from '../../output/render.ts'
import { usageError } from '../../terminal/cli-error.ts'

/** The key is the data: it alone goes to standard output, so that it can be piped into a secret store. */
function tellNewKey({ io, output }: Context, record: Row): void {
  if (record === undefined || isDocumentFormat(output.format)) return
  io.err(`The key "${record.name}" is shown once, now. Keep it in a secret store.\n`)
}

/** Asked before anything is made: a secret that only an id is printed of is lost, and a rotated key with it. */
export function requireSecretShown({ output }: Context): void {
  if (output.format === 'id')
    throw usageError('the secret is shown once, and -o id would not show it', 'use --json, which has both')
}

/** `base` is `/admin/keys` or `/me/keys`. */
export async function createKey(context: Context, base: string, body: Row): Promise<void> {
  requireSecretShown(context)
  tellNewKey(context, await change(context, { method: 'POST', path: base, body, done: (made) => made.key }))
}

export async function revokeKey(context: Context, base: string, key: Row): Promise<void> {
  await change(context, {
    method: 'POST',
    path: `${base}/${key.id}/revoke`,
    body: {},
    confirm: `Revoke the key "${key.name}" (${key.prefix}…)? Every call with it is refused within 5 seconds.`,
    done: (record) => `Revoked the key "${record.name}".`,
  })
}

export async function rotateKey(context: Context, base: string, key: Row, graceSeconds?: number): Promise<void> {
  requireSecretShown(context)
  const end = graceSeconds === undefined || graceSeconds === 0 ? 'at once' : `in ${graceSeconds} s`
  const record = await change(context, {
    method: 'POST',
    path: `${base}/${key.id}/rotate`,
    body: graceSeconds === undefined ? {} : { grace_seconds: graceSeconds },
    confirm: `Replace the key "${key.name}"? The old one stops ${end}.`,
    done: (made) => made.key,
  })
  tellNewKey(context, record)
}
