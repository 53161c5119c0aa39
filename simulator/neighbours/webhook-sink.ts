import type { IncomingMessage, ServerResponse } from 'node:http'
import { refuseUnknown, requireObject } from '../behaviour.ts'
import { closeConnection, isGone, resetConnection, waitWhileOpen, writeAll } from '../connection.ts'
import { readExchange, sendText } from '../exchange.ts'

export type ReceivedWebhook = {
  readonly at: string
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
  readonly status: number
}

export type WebhookScript = {
  readonly path?: string
  /** null means until the next reset. */
  readonly times?: number | null
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly delayMs?: number
  /** Keeps the connection open this long and never answers. */
  readonly hangMs?: number
  readonly redirect?: string
  readonly reset?: true
  /** Sends the body one byte per this many milliseconds. */
  readonly slowByteMs?: number
}

export type WebhookSink = {
  list(): readonly ReceivedWebhook[]
  clear(): void
  script(input: unknown): WebhookScript
  reset(): void
  serve(request: IncomingMessage, response: ServerResponse): Promise<void>
}

const SCRIPT_KEYS = [
  'path',
  'times',
  'status',
  'headers',
  'body',
  'delayMs',
  'hangMs',
  'redirect',
  'reset',
  'slowByteMs',
]

export function createWebhookSink(): WebhookSink {
  let received: ReceivedWebhook[] = []
  let scripts: { readonly script: WebhookScript; left: number }[] = []
  const take = (path: string): WebhookScript => {
    const found = scripts.find(({ script }) => script.path === undefined || script.path === path)
    if (!found) return {}
    found.left -= 1
    if (found.left <= 0) scripts = scripts.filter((item) => item !== found)
    return found.script
  }
  return {
    list: () => received,
    clear() {
      received = []
    },
    script(input) {
      const script = requireObject(input, 'script')
      refuseUnknown(script, SCRIPT_KEYS, 'script')
      const times = script['times'] === null ? Number.POSITIVE_INFINITY : Number(script['times'] ?? 1)
      scripts.push({ script: script as WebhookScript, left: times })
      return script as WebhookScript
    },
    reset() {
      received = []
      scripts = []
    },
    async serve(request, response) {
      const exchange = await readExchange(request, response)
      const script = take(exchange.rawPath)
      const status = script.status ?? (script.redirect === undefined ? 200 : 302)
      received.push({
        at: new Date().toISOString(),
        method: exchange.method,
        path: exchange.rawQuery === '' ? exchange.rawPath : `${exchange.rawPath}?${exchange.rawQuery}`,
        headers: request.headers,
        body: exchange.body.toString('utf8'),
        status: script.reset || script.hangMs !== undefined ? 0 : status,
      })
      await answer(response, script, status)
    },
  }
}

async function answer(response: ServerResponse, script: WebhookScript, status: number): Promise<void> {
  if (script.reset) return resetConnection(response)
  if (script.delayMs !== undefined) await waitWhileOpen(response, script.delayMs)
  if (script.hangMs !== undefined) {
    await waitWhileOpen(response, script.hangMs)
    return closeConnection(response)
  }
  const headers = {
    'content-type': 'application/json',
    ...(script.redirect === undefined ? {} : { location: script.redirect }),
    ...script.headers,
  }
  const body = script.body ?? '{"ok":true}'
  if (script.slowByteMs === undefined) return sendText(response, status, body, headers)
  response.writeHead(status, headers)
  for (const byte of Buffer.from(body, 'utf8')) {
    if (isGone(response)) return
    await writeAll(response, Buffer.from([byte]))
    await waitWhileOpen(response, script.slowByteMs)
  }
  response.end()
}
