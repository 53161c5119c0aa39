import type { IncomingMessage, ServerResponse } from 'node:http'
import { parseScriptRequest, refuseUnknown, requireObject } from './behaviour.ts'
import { controlAccounts } from './control-accounts.ts'
import type { ControlRoute } from './control-route.ts'
import { readExchange, sendJson } from './exchange.ts'
import type { LedgerEntry } from './ledger.ts'
import type { Neighbours } from './neighbours/neighbours.ts'
import { mergeSettings } from './settings.ts'
import { resetState, type SimulatorState } from './state.ts'

const routes: Readonly<Record<string, ControlRoute>> = {
  'POST /scripts': ({ state, body }) => state.scripts.add(parseScriptRequest(body)),
  'GET /scripts': ({ state }) => state.scripts.list(),
  'DELETE /scripts': ({ state }) => clearing(() => state.scripts.clear()),
  'DELETE /scripts/:id': ({ state }, id) => ({ removed: state.scripts.remove(id) }),
  'GET /ledger': ({ state, query }) => filterLedger(state.ledger.list(Number(query.get('after') ?? 0)), query),
  'DELETE /ledger': ({ state }) => clearing(() => state.ledger.clear()),
  'GET /requests': ({ state }) =>
    state.recorder.requests().map((request) => ({ ...request, body: request.body.toString('utf8') })),
  'GET /settings': ({ state }) => state.settings,
  'PUT /settings': ({ state, body }) => {
    state.settings = mergeSettings(state.settings, body)
    return state.settings
  },
  'GET /published': ({ state }) => state.recorder.published(),
  'POST /reset': ({ state, neighbours }) =>
    clearing(() => {
      resetState(state)
      neighbours.reset()
    }),
  'GET /webhooks': ({ neighbours }) => neighbours.webhooks.list(),
  'DELETE /webhooks': ({ neighbours }) => clearing(() => neighbours.webhooks.clear()),
  'POST /webhooks/script': ({ neighbours, body }) => neighbours.webhooks.script(body),
  'GET /searches': ({ neighbours }) => neighbours.searches.list(),
  'DELETE /searches': ({ neighbours }) => clearing(() => neighbours.searches.clear()),
  'POST /searches/script': ({ neighbours, body }) => neighbours.searches.script(body),
  'GET /oidc': ({ neighbours }) => neighbours.oidc.describe(),
  'POST /oidc/users': ({ neighbours, body }) => neighbours.oidc.setUser(body),
  'POST /oidc/clients': ({ neighbours, body }) => neighbours.oidc.addClient(body),
  'POST /oidc/mode': ({ neighbours, body }) => neighbours.oidc.setMode(body),
  'POST /oidc/rotate-keys': ({ neighbours, body }) => neighbours.oidc.rotateKeys(requireObject(body ?? {}, 'body')),
  'POST /oidc/mint': ({ neighbours, body }) => neighbours.oidc.mint(body),
  ...controlAccounts,
}

function clearing(clear: () => void): { readonly cleared: true } {
  clear()
  return { cleared: true }
}

const LEDGER_FILTERS = ['operation', 'account', 'region', 'modelId', 'foundationModelId'] as const

function filterLedger(entries: readonly LedgerEntry[], query: URLSearchParams): readonly LedgerEntry[] {
  refuseUnknown(Object.fromEntries(query), ['after', ...LEDGER_FILTERS], 'query')
  return entries.filter((entry) => LEDGER_FILTERS.every((name) => !query.has(name) || query.get(name) === entry[name]))
}

function findRoute(
  method: string,
  path: string,
): { readonly route: ControlRoute; readonly parameter: string } | undefined {
  const exact = routes[`${method} ${path}`]
  if (exact) return { route: exact, parameter: '' }
  const cut = path.lastIndexOf('/')
  const withId = routes[`${method} ${path.slice(0, cut)}/:id`]
  return withId && { route: withId, parameter: decodeURIComponent(path.slice(cut + 1)) }
}

export async function serveControl(
  state: SimulatorState,
  neighbours: Neighbours,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const exchange = await readExchange(request, response)
  const found = findRoute(exchange.method, exchange.rawPath)
  if (!found) return sendJson(response, 404, { error: `no such control: ${exchange.method} ${exchange.rawPath}` })
  try {
    const body: unknown = exchange.body.length === 0 ? undefined : JSON.parse(exchange.body.toString('utf8'))
    const reply = await found.route({ state, neighbours, query: exchange.query, body }, found.parameter)
    sendJson(response, 200, reply ?? null)
  } catch (error) {
    const isMistake = error instanceof TypeError || error instanceof SyntaxError
    sendJson(response, isMistake ? 400 : 500, { error: String(error) })
  }
}
