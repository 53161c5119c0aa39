// What a script makes the simulator do. Every part is optional and parts combine:
// one script may pace an answer, override its usage and cut the connection after three events.

export type Pace = {
  /** null sends everything at once. */
  readonly eventsPerSecond: number | null
  readonly firstEventDelayMs: number
}

export type TokenMode = 'counted' | 'fingerprint'

export type ScriptedAnswer = {
  readonly content?: readonly Readonly<Record<string, unknown>>[]
  readonly stopReason?: string | null
  readonly model?: string
  /** Laid over the usage object as it is: odd values such as -1, 1e12, "12" and null go out unchanged. */
  readonly usage?: Readonly<Record<string, unknown>>
  /** Only in message_start, or only in message_delta, after `usage`. */
  readonly startUsage?: Readonly<Record<string, unknown>>
  readonly deltaUsage?: Readonly<Record<string, unknown>>
  /** Names taken out of every usage object; 'all' sends no usage object at all. */
  readonly omitUsage?: readonly string[] | 'all'
}

/** 'close' ends the TCP connection, 'reset' sends RST, 'end' finishes the HTTP body as if the stream were complete. */
export type CutStyle = 'close' | 'reset' | 'end'

export type Behaviour = {
  readonly delayMs?: number
  readonly hangMs?: number
  readonly reset?: true
  readonly error?: {
    readonly status: number
    readonly type: string
    readonly message: string
    readonly headers?: Readonly<Record<string, string>>
  }
  readonly throttle?: true | { readonly message?: string; readonly retryAfterSeconds?: number }
  readonly html?: { readonly status?: number; readonly body?: string }
  readonly rejectBetas?: { readonly betas: readonly string[]; readonly named?: boolean }
  readonly rejectFields?: { readonly paths: readonly string[]; readonly message?: string }
  readonly answer?: ScriptedAnswer
  readonly pace?: Partial<Pace>
  readonly tokenMode?: TokenMode
  readonly writeBytes?: number
  readonly silence?: { readonly afterEvents: number; readonly ms: number }
  readonly exception?: {
    readonly afterEvents: number
    readonly type: string
    readonly message?: string
    readonly body?: Readonly<Record<string, unknown>>
  }
  readonly errorFrame?: { readonly afterEvents: number; readonly code: string; readonly message?: string }
  readonly errorEvent?: { readonly afterEvents: number; readonly error: Readonly<Record<string, unknown>> }
  readonly rawBytes?: { readonly afterEvents: number; readonly hex: string }
  readonly cut?: { readonly afterEvents?: number; readonly afterBytes?: number; readonly how?: CutStyle }
  /** A negative offset counts from the end of the frame. */
  readonly corrupt?: { readonly frame: number; readonly offset: number; readonly xor?: number }
  readonly extraBytes?: { readonly hex: string }
  /** EventBridge only: this many entries are refused inside an HTTP 200. */
  readonly failedEntries?: number
}

export type ScriptMatch = {
  /** An operation name, or 'invoke' for InvokeModel with and without streaming. */
  readonly operation?: string
  readonly account?: string
  readonly region?: string
  readonly accessKey?: string
  /** The id in the URL, the foundation model behind it, or an ARN; always compared whole. */
  readonly model?: string
  readonly bodyContains?: string
}

export type ScriptRequest = {
  readonly match?: ScriptMatch
  /** How many calls take this script; null means until it is removed. */
  readonly times?: number | null
  readonly behaviour: Behaviour
}

export type Script = {
  readonly id: string
  readonly match: ScriptMatch
  readonly times: number | null
  readonly taken: number
  readonly behaviour: Behaviour
}

const BEHAVIOUR_KEYS: readonly (keyof Behaviour)[] = [
  'delayMs', 'hangMs', 'reset', 'error', 'throttle', 'html', 'rejectBetas', 'rejectFields', 'answer', 'pace',
  'tokenMode', 'writeBytes', 'silence', 'exception', 'errorFrame', 'errorEvent', 'rawBytes', 'cut', 'corrupt',
  'extraBytes', 'failedEntries',
] // biome-ignore format: one list

const MATCH_KEYS: readonly (keyof ScriptMatch)[] = [
  'operation',
  'account',
  'region',
  'accessKey',
  'model',
  'bodyContains',
]

/** A misspelt key would turn a fault test into a test of nothing, so unknown keys are refused. */
export function parseScriptRequest(input: unknown): Required<ScriptRequest> {
  const request = requireObject(input, 'script')
  const match = requireObject(request['match'] ?? {}, 'match')
  const behaviour = requireObject(request['behaviour'], 'behaviour')
  refuseUnknown(request, ['match', 'times', 'behaviour'], 'script')
  refuseUnknown(match, MATCH_KEYS, 'match')
  refuseUnknown(behaviour, BEHAVIOUR_KEYS, 'behaviour')
  const times = request['times'] === undefined ? 1 : request['times']
  if (times !== null && (typeof times !== 'number' || times < 1)) throw new TypeError('times: a number from 1, or null')
  return { match: match as ScriptMatch, times, behaviour: behaviour as Behaviour }
}

export function requireObject(value: unknown, name: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new TypeError(`${name}: an object is required`)
  return value as Record<string, unknown>
}

export function refuseUnknown(value: Readonly<Record<string, unknown>>, known: readonly string[], name: string): void {
  for (const key of Object.keys(value)) if (!known.includes(key)) throw new TypeError(`${name}.${key}: unknown`)
}
