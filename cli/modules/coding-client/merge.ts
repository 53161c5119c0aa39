/** What the client's settings become with this gateway, and what they would be without it. The setup script has the same rules. */
import { addElement, deleteAt, hasElement, isEmptyAt, type Path, rawAt, removeElement, setAt } from './edit-json.ts'

export interface Wanted {
  readonly gateway: string
  readonly access:
    | { readonly kind: 'helper'; readonly command: string }
    | { readonly kind: 'key'; readonly key: string }
  readonly webSearch: 'enabled' | 'disabled' | 'global'
}

const HELPER_TTL_MS = 840_000
const WEB_SEARCH = '"WebSearch"'
const deny: Path = ['permissions', 'deny']

export const rivals = [
  'ANTHROPIC_API_KEY',
  'ANTHROPIC_AUTH_TOKEN',
  'CLAUDE_CODE_USE_BEDROCK',
  'CLAUDE_CODE_USE_VERTEX',
  'CLAUDE_CODE_USE_FOUNDRY',
] as const
const ownVariables = [
  'ANTHROPIC_BASE_URL',
  'ANTHROPIC_AUTH_TOKEN',
  'CLAUDE_CODE_API_KEY_HELPER_TTL_MS',
  'CLAUDE_CODE_ENABLE_GATEWAY_MODEL_DISCOVERY',
  'CLIENT_ENABLE_GATEWAY_MODEL_DISCOVERY',
] as const

export function clientVariables(gateway: string, access: Wanted['access']): Readonly<Record<string, string>> {
  return {
    ANTHROPIC_BASE_URL: gateway,
    ...(access.kind === 'key'
      ? { ANTHROPIC_AUTH_TOKEN: access.key }
      : { CLAUDE_CODE_API_KEY_HELPER_TTL_MS: String(HELPER_TTL_MS) }),
    CLAUDE_CODE_ENABLE_GATEWAY_MODEL_DISCOVERY: '1',
    CLIENT_ENABLE_GATEWAY_MODEL_DISCOVERY: '1',
  }
}

export function addGateway(clean: Buffer, { gateway, access, webSearch }: Wanted): Buffer {
  const variables = clientVariables(gateway, access)
  let bytes = access.kind === 'helper' ? setAt(clean, ['apiKeyHelper'], JSON.stringify(access.command)) : clean
  for (const [name, value] of Object.entries(variables)) bytes = setAt(bytes, ['env', name], JSON.stringify(value))
  return webSearch === 'disabled' && !hasElement(bytes, deny, WEB_SEARCH) ? addElement(bytes, deny, WEB_SEARCH) : bytes
}

/** Variables of the settings that send the client elsewhere, or outrank what is set here. */
export function findRivals(bytes: Buffer, access: Wanted['access']['kind']): readonly string[] {
  return rivals.filter(
    (name) => (access === 'helper' || name !== 'ANTHROPIC_AUTH_TOKEN') && rawAt(bytes, ['env', name]) !== undefined,
  )
}

export function withoutRivals(bytes: Buffer, names: readonly string[]): Buffer {
  return names.reduce((rest, name) => deleteAt(rest, ['env', name]), bytes)
}

/** Takes out what was put in, except where somebody has changed it since. `before` and `after` are those of the last time. */
export function removeGateway(now: Buffer, before: Buffer, after: Buffer): Buffer {
  const paths: readonly Path[] = [
    ['apiKeyHelper'],
    ...[...new Set([...ownVariables, ...rivals])].map((name): Path => ['env', name]),
  ]
  let bytes = now
  for (const path of paths) bytes = putBack(bytes, before, after, path)
  bytes = prune(bytes, before, ['env'])
  if (!hasElement(before, deny, WEB_SEARCH) && hasElement(after, deny, WEB_SEARCH)) {
    bytes = prune(prune(removeElement(bytes, deny, WEB_SEARCH), before, deny), before, ['permissions'])
  }
  return bytes
}

function putBack(now: Buffer, before: Buffer, after: Buffer, path: Path): Buffer {
  if (rawAt(now, path) !== rawAt(after, path)) return now
  const old = rawAt(before, path)
  return old === undefined ? deleteAt(now, path) : setAt(now, path, old)
}

/** An object or list that only we had needed goes with its last member. */
function prune(bytes: Buffer, before: Buffer, path: Path): Buffer {
  return rawAt(before, path) === undefined && isEmptyAt(bytes, path) ? deleteAt(bytes, path) : bytes
}
