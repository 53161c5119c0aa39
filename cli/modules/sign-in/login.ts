/** `causeway login`: signs in through the browser, with a password or with a token, and remembers it for later commands. */

import { setTimeout as sleep } from 'node:timers/promises'
import { defined } from '../../../src/foundation/platform/defined.ts'
import { type Client, createClient } from '../../client/http-client.ts'
import type { Leaf } from '../../command/command.ts'
import type { Context } from '../../command/context.ts'
import { readSecret } from '../../command/secret-input.ts'
import { printDocument, type Row } from '../../output/render.ts'
import { DEFAULT_PROFILE, readConfigFile, writeConfigFile } from '../../profile/config-file.ts'
import { findAddress, profileName, requireUrl } from '../../profile/connection.ts'
import { CliError, usageError } from '../../terminal/cli-error.ts'

interface SignedIn {
  readonly token: string
  readonly expires_at?: string | undefined
}

export const login: Leaf = {
  name: 'login',
  summary: 'sign in to a gateway and remember it',
  kind: 'read',
  args: [{ name: '[url]', text: 'address of the gateway; default: the one of the profile' }],
  options: [
    { flags: '--no-browser', text: 'print the address and open nothing' },
    { flags: '--user <name>', text: 'with a password (asked for, or read from standard input)' },
    { flags: '--token-stdin', text: 'with a token read from standard input' },
  ],
  about: 'The token is kept in the configuration folder, readable by you alone.',
  examples: [
    'login https://gateway.example.com',
    'login https://gateway.example.com --profile work --no-browser',
    'login http://127.0.0.1:8080 --user admin',
  ],
  run: async (context, [url], values) => {
    const { io } = context
    const file = await readConfigFile(io)
    const name = profileName(values, io.environment, file)
    const base = requireUrl(
      // A new profile may be of the gateway that the environment names.
      url ?? findAddress(values, io.environment, file.profiles[name]) ?? io.environment['CAUSEWAY_URL'],
      values['allowHttp'] === true,
    )
    const anonymous = clientFor(context, base, undefined)
    const signedIn = await signIn(context, anonymous)
    const who = await clientFor(context, base, signedIn.token).get('/auth/me')
    const user: string | undefined = who.user?.subject ?? who.key?.name
    const profile = {
      url: base,
      token: signedIn.token,
      ...defined({ expires_at: signedIn.expires_at, user }),
    }
    // The first sign-in, and one under a new name, is what later commands use.
    const isKnown = file.profiles[name] !== undefined
    await writeConfigFile(io, {
      current: isKnown ? file.current : name || DEFAULT_PROFILE,
      profiles: { ...file.profiles, [name]: profile },
    })
    await tell(
      context,
      { ...who, profile: name, url: base, expires_at: signedIn.expires_at ?? null },
      `Signed in to ${new URL(base).host} as ${user ?? 'somebody'} (${who.role}).`,
    )
  },
}

async function tell(context: Context, document: Row, line: string): Promise<void> {
  const { format } = context.output
  if (format === 'json' || format === 'yaml' || format === 'jsonl') await printDocument(context.output, document, [])
  else context.io.err(`${line}\n`)
}

function clientFor({ io, version }: Context, base: string, token: string | undefined): Client {
  return createClient({
    base,
    token,
    signal: io.signal,
    userAgent: `causeway/${version} (${io.platform}; ${io.hostname})`,
  })
}

async function signIn(context: Context, client: Client): Promise<SignedIn> {
  const { io, values } = context
  if (values['tokenStdin'] === true) return { token: await readSecret(io, 'token') }
  if (values['user'] !== undefined) {
    const password = await readSecret(io, `Password of ${values['user']}`)
    return client.send('POST', '/auth/login', { username: values['user'], password })
  }
  return throughBrowser(context, client)
}

async function throughBrowser(context: Context, client: Client): Promise<SignedIn> {
  const { io, paint, values } = context
  const begun = await client.get('/auth/cli/login')
  // First the words, then the browser: over SSH, or without one, the words are all there is.
  io.err(
    `Open  ${begun.verification_url}\nCode  ${paint.bold(begun.user_code)}   compare it with the page, then confirm there\n`,
  )
  if (values['browser'] !== false && (await io.openBrowser(begun.verification_url)))
    io.err('      (opened in your browser)\n')
  const deadlineMs = io.nowMs() + begun.expires_in * 1_000
  let away: CliError | undefined
  while (io.nowMs() < deadlineMs) {
    await sleep(begun.interval * 1_000, undefined, { signal: io.signal }).catch(() => undefined)
    if (io.signal.aborted) throw new CliError('stopped', { exit: 'interrupted' })
    const answer = await poll(client, begun.session_code)
    away = answer instanceof CliError ? answer : undefined
    if (answer instanceof CliError) continue
    const { status, body } = answer
    if (status === 200) return body
    if (status === 410 && body?.status === 'denied')
      throw new CliError('the sign-in was refused in the browser', { exit: 'notAllowed' })
    if (status === 410 || status === 404) break
    if (status === 403 && body?.error?.code === 'user_inactive')
      throw new CliError('the sign-in was confirmed, but the account is deactivated', {
        exit: 'notAllowed',
        code: body.error.code,
        requestId: body.request_id,
        next: 'ask an administrator to let you in again',
      })
    if (status !== 202 && status !== 429 && status < 500) throw usageError(`the gateway answered with status ${status}`)
  }
  throw away ?? new CliError('nobody confirmed the sign-in in time', { exit: 'signInNeeded', next: 'run it again' })
}

/** A gateway that is away is an answer too: the person may still be at the page, and it comes back after a restart. */
async function poll(client: Client, sessionCode: string): Promise<Awaited<ReturnType<Client['ask']>> | CliError> {
  try {
    return await client.ask('GET', `/auth/cli/poll?session_code=${encodeURIComponent(sessionCode)}`)
  } catch (error) {
    if (error instanceof CliError && error.parts.exit === 'unreachable') return error
    throw error
  }
}
