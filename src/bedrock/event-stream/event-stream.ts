/**
 * Decodes `application/vnd.amazon.eventstream`, however it is cut into reads, and hands Messages events on as spans.
 * Our own, because 306 events take 0.2–0.65 ms when frames are decoded in place, and 2.5 ms with
 * `@smithy/eventstream-codec`.
 */

import { crc32 } from 'node:zlib'
import type { AnswerHandler } from '../../foundation/domain/model-host.ts'
import type { ProviderFailure } from '../../foundation/domain/provider-failure.ts'
import { broken } from '../failures.ts'
import { failureOfException } from '../stream-exception.ts'
import { base64Offset, findBase64End, parseBase64, readFrameHeaders } from './event-frame.ts'

/** Hears of each event: its base64 text, and the whole frame around it. */
export type EventHandler = Pick<AnswerHandler, 'onData'>

const preludeBytes = 12
const checksumBytes = 4
const minFrameBytes = preludeBytes + checksumBytes
const maxFrameBytes = 16 * 1024 * 1024
const firstCarryBytes = 2_048
/** A larger carry buffer is given back once its frame is done: a stream may stay open for minutes. */
const keptCarryBytes = 65_536

export class EventStreamDecoder {
  readonly #handler: EventHandler
  #failure: ProviderFailure | undefined
  #isStopped = false
  /** The start of a frame whose rest has not come yet. */
  #carry: Buffer | undefined
  #carriedBytes = 0

  constructor(handler: EventHandler) {
    this.#handler = handler
  }

  /** Returns the failure that ended the stream; after that nothing more is decoded. */
  push(bytes: Buffer, start: number, end: number): ProviderFailure | undefined {
    let position = start
    if (this.#carriedBytes > 0) position = this.#fillCarry(bytes, start, end)
    while (!this.#isOver() && position < end) {
      const frameBytes = end - position < preludeBytes ? 0 : this.#checkPrelude(bytes, position)
      if (this.#failure !== undefined) break
      if (frameBytes === 0 || position + frameBytes > end) {
        this.#startCarry(bytes, position, end, frameBytes)
        break
      }
      this.#readFrame(bytes, position, frameBytes)
      position += frameBytes
    }
    return this.#failure
  }

  /** Nothing more is wanted: no event is handed over after this. */
  stop(): void {
    this.#isStopped = true
  }

  #isOver(): boolean {
    return this.#failure !== undefined || this.#isStopped
  }

  /** The body is over. A frame that is only partly here makes it a failure. */
  end(): ProviderFailure | undefined {
    if (this.#failure === undefined && this.#carriedBytes > 0) this.#fail('the stream ends inside a frame')
    return this.#failure
  }

  /** Length of the frame at `start`, once its prelude is known to be sound. */
  #checkPrelude(bytes: Buffer, start: number): number {
    const frameBytes = bytes.readUInt32BE(start)
    const headerBytes = bytes.readUInt32BE(start + 4)
    if (bytes.readUInt32BE(start + 8) !== crc32(bytes.subarray(start, start + 8))) {
      return this.#fail('the checksum of a frame prelude is wrong')
    }
    if (frameBytes < minFrameBytes || frameBytes > maxFrameBytes || headerBytes > frameBytes - minFrameBytes) {
      return this.#fail('the lengths in a frame prelude are not possible')
    }
    return frameBytes
  }

  #readFrame(bytes: Buffer, start: number, frameBytes: number): void {
    const checksumStart = start + frameBytes - checksumBytes
    if (bytes.readUInt32BE(checksumStart) !== crc32(bytes.subarray(start, checksumStart))) {
      this.#fail('the checksum of a frame is wrong')
      return
    }
    const headersStart = start + preludeBytes
    const payloadStart = headersStart + bytes.readUInt32BE(start + 4)
    if (!this.#isChunk(bytes, headersStart, payloadStart, checksumStart)) return
    const base64End = findBase64End(bytes, payloadStart, checksumStart)
    if (base64End >= 0) this.#handler.onData(bytes, payloadStart + base64Offset, base64End, start, start + frameBytes)
    else this.#readUnusual(bytes, payloadStart, checksumStart, start)
  }

  #isChunk(bytes: Buffer, start: number, end: number, payloadEnd: number): boolean {
    const headers = readFrameHeaders(bytes, start, end)
    if (headers === undefined) {
      this.#fail('the headers of a frame are not readable')
      return false
    }
    if (headers.messageType === 'event') {
      // Other event types belong to features that were not asked for; the vendor's client skips them too.
      return headers.eventType === 'chunk'
    }
    if (headers.messageType === 'exception' || headers.messageType === 'error') {
      const type = headers.exceptionType || headers.errorCode
      this.#failure = failureOfException(type, headers.errorMessage, bytes.toString('utf8', end, payloadEnd))
    } else {
      this.#fail('a frame does not say which kind of message it is')
    }
    return false
  }

  /** The port promises one buffer for the frame and its base64 text, so the text goes behind a copy of the frame. */
  #readUnusual(bytes: Buffer, payloadStart: number, payloadEnd: number, frameStart: number): void {
    const text = parseBase64(bytes.toString('utf8', payloadStart, payloadEnd))
    if (text === undefined) {
      this.#fail('a chunk frame carries no event')
      return
    }
    const frame = bytes.subarray(frameStart, payloadEnd + checksumBytes)
    const joined = Buffer.concat([frame, Buffer.from(text, 'latin1')])
    this.#handler.onData(joined, frame.length, joined.length, 0, frame.length)
  }

  #startCarry(bytes: Buffer, start: number, end: number, frameBytes: number): void {
    this.#reserve(frameBytes === 0 ? preludeBytes : Math.min(frameBytes, (end - start) * 2))
    this.#append(bytes, start, end)
  }

  /** Completes the carried frame from `bytes`; returns where the next frame starts. */
  #fillCarry(bytes: Buffer, start: number, end: number): number {
    let position = start
    if (this.#carriedBytes < preludeBytes) {
      position = this.#append(bytes, start, Math.min(end, start + preludeBytes - this.#carriedBytes))
      if (this.#carriedBytes < preludeBytes) return position
    }
    const carry = this.#carry
    if (carry === undefined) return end
    const frameBytes = this.#checkPrelude(carry, 0)
    if (this.#failure !== undefined) return end
    const spanEnd = Math.min(end, position + frameBytes - this.#carriedBytes)
    // Grown by what arrives and not by what is claimed: a lie about the length must not cost memory.
    this.#reserve(Math.min(frameBytes, Math.max(this.#carriedBytes * 2, this.#carriedBytes + spanEnd - position)))
    position = this.#append(bytes, position, spanEnd)
    if (this.#carriedBytes === frameBytes && this.#carry !== undefined) {
      this.#carriedBytes = 0
      this.#readFrame(this.#carry, 0, frameBytes)
      if (this.#carry.length > keptCarryBytes) this.#carry = undefined
    }
    return position
  }

  #append(bytes: Buffer, start: number, end: number): number {
    if (this.#carry !== undefined) this.#carriedBytes += bytes.copy(this.#carry, this.#carriedBytes, start, end)
    return end
  }

  #reserve(neededBytes: number): void {
    if (this.#carry !== undefined && this.#carry.length >= neededBytes) return
    // Not from Node's pool: a stream may stay open for minutes, and would keep a whole block of 64 KiB in memory.
    const larger = Buffer.allocUnsafeSlow(Math.max(neededBytes, firstCarryBytes))
    this.#carry?.copy(larger, 0, 0, this.#carriedBytes)
    this.#carry = larger
  }

  #fail(reason: string): 0 {
    this.#failure = broken(reason)
    return 0
  }
}
