/**
 * The scripts that connect a client: the helper that prints a token, and the setup that writes the client's settings.
 * Values are put into the scripts by one regular expression; a template engine would be larger.
 */
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import type { WebSearchMode } from '../../../foundation/domain/settings.ts'
import { apiRoute, type Call, ok, type Route } from '../../../foundation/http/route.ts'
import { projectFile } from '../../../foundation/platform/project-file.ts'
import type { BaseUrlFinder } from '../base-url.ts'

export interface SetupPorts {
  readonly findBaseUrl: BaseUrlFinder
  readonly webSearchMode: () => WebSearchMode
}

const read = (name: string): string => readFileSync(projectFile(`src/modules/sign-in/login/scripts/${name}`), 'utf8')
const tokenHelper = read('token-helper.sh')
const tokenHelperWindows = read('token-helper.ps1')
const setupWindows = read('setup.ps1')
const setup = fill(read('setup.sh'), { SETTINGS_EDIT: read('settings-edit.awk'), TOKEN_HELPER: tokenHelper })

const query = z.object({ platform: z.enum(['windows', 'macos', 'linux', 'unix']).optional() })
type Asked = Call<unknown, z.infer<typeof query>, unknown>

const answers = {
  200: { text: 'The script, for POSIX sh or for PowerShell' },
  400: { text: 'The Host header cannot be used' },
} as const
const tag = 'Connecting a client'

export function setupRoutes(ports: SetupPorts): Route[] {
  const helper = (call: Asked, isWindows: boolean) =>
    script(isWindows ? tokenHelperWindows : tokenHelper, isWindows, { BASE_URL: ports.findBaseUrl(call) })
  const whole = (call: Asked, isWindows: boolean) =>
    script(isWindows ? setupWindows : setup, isWindows, {
      BASE_URL: ports.findBaseUrl(call),
      WEB_SEARCH: ports.webSearchMode(),
    })
  return [
    apiRoute({
      method: 'GET',
      path: '/auth/setup/token-script',
      access: 'open',
      tag,
      summary: 'The login helper: prints a token, signing in through the browser when needed',
      query,
      answers,
      handle: (call) => helper(call, call.query.platform === 'windows'),
    }),
    ...(['/auth/setup', '/setup'] as const).map((path) =>
      apiRoute({
        method: 'GET',
        path,
        access: 'open',
        tag,
        summary: 'The setup script: signs in and merges the client settings; `--remove` undoes it',
        query,
        answers,
        handle: (call) => whole(call, call.query.platform === 'windows'),
      }),
    ),
    apiRoute({
      method: 'GET',
      path: '/setup.ps1',
      access: 'open',
      tag,
      summary: 'The setup script for PowerShell',
      query,
      answers,
      handle: (call) => whole(call, true),
    }),
  ]
}

/** The address is the only text from outside in a script, and it has passed the pattern of a host name. */
function script(text: string, isWindows: boolean, values: Readonly<Record<string, string>>) {
  const type = isWindows ? 'text/plain; charset=utf-8' : 'text/x-shellscript; charset=utf-8'
  return ok(fill(text, values), { 'content-type': type })
}

function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/@([A-Z_]+)@/g, (whole, name: string) => values[name]?.replace(/\n$/, '') ?? whole)
}
