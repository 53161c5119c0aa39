/**
 * Reads the whole request body, inflated if need be, up to the limit, or says why it cannot.
 * Our own, because all bodies share the room of the process: each asks for it as it comes, and a stalled one gives way.
 */
import type { IncomingMessage } from 'node:http'
import { createGunzip, createInflate, type Gunzip, type Inflate } from 'node:zlib'
import { type Problem, problem } from '../../foundation/domain/errors.ts'
import { type BodyRules, readPieces } from '../../foundation/http/read-body.ts'
import { defined } from '../../foundation/platform/defined.ts'
import { joinChunks } from '../../foundation/platform/join-chunks.ts'

export const MESSAGE_BODY_LIMIT_BYTES = 32 * 1024 * 1024

/**
 * So much of a body is held by now; false when there is no room for it. `giveUp` may be called later, when the body stalls and
 * others need its room; it is false for a body that is not coming any more.
 */
export type HoldBody = (bytes: number, giveUp: () => boolean) => boolean

/** A type is only refused when one was named and it is not JSON: some clients send none. */
export function contentProblem(request: IncomingMessage): Problem | undefined {
  const type = request.headers['content-type']
  if (type !== undefined && !/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type))
    return problem('unsupported_media_type')
  const announced = Number(request.headers['content-length'])
  return announced > MESSAGE_BODY_LIMIT_BYTES ? tooLarge() : undefined
}

/** `wait` notes that the caller's body is awaited, and gives what to call when it has come; undefined when there is no room. */
export async function receiveBody(
  request: IncomingMessage,
  hold: HoldBody,
  wait: () => (() => void) | undefined,
): Promise<Buffer> {
  const bodyCame = wait()
  if (bodyCame === undefined) throw overloaded()
  try {
    return await readBody(request, hold)
  } finally {
    bodyCame()
  }
}

async function readBody(request: IncomingMessage, hold: HoldBody): Promise<Buffer> {
  const inflater = inflaterFor(request.headers['content-encoding'])
  if (inflater === 'unknown') throw request.destroyed ? endedEarly() : problem('unsupported_media_type')
  const gathered = createGathering(inflater === undefined ? Number(request.headers['content-length']) : Number.NaN)
  const reading = readPieces(request, rulesFor(inflater), (piece, size) => {
    if (hold(size, giveUp)) gathered.add(piece)
    else giveUp()
  })
  const giveUp = (): boolean => reading.stop(overloaded())
  try {
    await reading.done
  } catch (error) {
    // The rest of the body may take minutes to come, and its room is given back already.
    gathered.drop()
    throw error
  }
  return gathered.take()
}

function rulesFor(inflater: Gunzip | Inflate | undefined): BodyRules {
  const unreadable = (): Problem => problem('invalid_json', { reason: 'the compressed body could not be read' })
  return {
    maxBytes: MESSAGE_BODY_LIMIT_BYTES,
    tooLarge,
    endedEarly,
    ...defined({ inflate: inflater && { stream: inflater, unreadable } }),
  }
}

interface Gathering {
  readonly add: (chunk: Buffer) => void
  /** Gives the body away: the request and its listeners live as long as the answer streams. */
  readonly take: () => Buffer
  readonly drop: () => void
}

/** Up to here a body gets its buffer with the first chunk. */
const SMALL_BYTES = 256 * 1024
/** A longer one gets it when this part of it has come: many announcements alone must not become buffers. */
const SERIOUS_PART = 1 / 8

/**
 * Puts the body together as it comes: a chunk that is copied at once dies young, where a list of them would wait for a
 * full collection.
 */
function createGathering(announcedBytes: number): Gathering {
  const enoughBytes = announcedBytes <= SMALL_BYTES ? 0 : announcedBytes * SERIOUS_PART
  let chunks: Buffer[] = []
  let body: Buffer | undefined
  let listed = 0
  let used = 0
  const drop = (): void => {
    body = undefined
    chunks = []
  }
  return {
    drop,
    add: (chunk) => {
      if (body !== undefined) {
        used += chunk.copy(body, used)
        return
      }
      chunks.push(chunk)
      listed += chunk.length
      if (listed < enoughBytes || !(listed < announcedBytes)) return
      body = Buffer.allocUnsafeSlow(announcedBytes)
      for (const one of chunks) used += one.copy(body, used)
      chunks = []
    },
    take: () => {
      const whole = body === undefined ? joinChunks(chunks) : used === body.length ? body : body.subarray(0, used)
      drop()
      return whole
    },
  }
}

function inflaterFor(encoding: string | undefined): Gunzip | Inflate | undefined | 'unknown' {
  switch (encoding?.trim().toLowerCase() ?? '') {
    case '':
    case 'identity':
      return undefined
    case 'gzip':
    case 'x-gzip':
      return createGunzip()
    case 'deflate':
      return createInflate()
    default:
      return 'unknown'
  }
}

/** What the client of a process that has no room left is told, before its body or while it comes. */
export function overloaded(): Problem {
  return problem('overloaded', {}, { headers: { 'retry-after': '2' } })
}

function endedEarly(): Problem {
  return problem('invalid_request_line', { reason: 'the body ended early' })
}

function tooLarge(): Problem {
  return problem('body_too_large', { limit: '32 MiB' })
}
