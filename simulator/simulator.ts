import { DEFAULT_ACCESS_KEY, DEFAULT_SECRET_KEY } from './aws/accounts.ts'
import { serveAws } from './aws/aws-face.ts'
import { serveControl } from './control-port.ts'
import { listen } from './listen.ts'
import type { Neighbours } from './neighbours/neighbours.ts'
import { createOidcSimulator } from './neighbours/oidc-simulator.ts'
import { createSearchEngines } from './neighbours/search-engines.ts'
import { createWebhookSink } from './neighbours/webhook-sink.ts'
import type { Settings } from './settings.ts'
import { createState } from './state.ts'

export type SimulatorOptions = {
  readonly host?: string
  readonly port?: number
  readonly controlPort?: number
  readonly oidcPort?: number
  readonly webhookPort?: number
  readonly searchPort?: number
  /** The address the OIDC issuer names itself by, when it is reached through another one. */
  readonly oidcUrl?: string
  readonly settings?: Partial<Settings>
}

export type Simulator = {
  /** For AWS_ENDPOINT_URL. */
  readonly url: string
  readonly controlUrl: string
  readonly oidcUrl: string
  readonly webhookUrl: string
  readonly searchUrl: string
  /** Credentials the AWS face accepts from the start. */
  readonly accessKey: string
  readonly secretKey: string
  close(): Promise<void>
}

export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const host = options.host ?? '127.0.0.1'
  const state = createState(options.settings ?? {})
  const webhooks = createWebhookSink()
  const searches = createSearchEngines()
  const oidc = createOidcSimulator()
  const neighbours: Neighbours = {
    webhooks,
    searches,
    oidc,
    reset() {
      webhooks.reset()
      searches.reset()
      oidc.reset()
    },
  }
  const [aws, control, oidcServer, webhookServer, searchServer] = await Promise.all([
    listen(host, options.port ?? 0, (request, response) => serveAws(state, request, response)),
    listen(host, options.controlPort ?? 0, (request, response) => serveControl(state, neighbours, request, response)),
    listen(host, options.oidcPort ?? 0, (request, response) => oidc.serve(request, response)),
    listen(host, options.webhookPort ?? 0, (request, response) => webhooks.serve(request, response)),
    listen(host, options.searchPort ?? 0, (request, response) => searches.serve(request, response)),
  ])
  const oidcUrl = options.oidcUrl ?? oidcServer.url
  oidc.setBase(oidcUrl)
  return {
    url: aws.url,
    controlUrl: control.url,
    oidcUrl,
    webhookUrl: webhookServer.url,
    searchUrl: searchServer.url,
    accessKey: DEFAULT_ACCESS_KEY,
    secretKey: DEFAULT_SECRET_KEY,
    async close() {
      await Promise.all([aws, control, oidcServer, webhookServer, searchServer].map((server) => server.close()))
    },
  }
}
