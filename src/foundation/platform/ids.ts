/** Ids the gateway makes. Time-ordered, so that indexes over them grow at one end. */
import { randomUUIDv7 } from 'node:crypto'

export function newId(): string {
  return randomUUIDv7()
}

/** When `newId` made it, in milliseconds. */
export function timeOfId(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)
}

export function newRequestId(): string {
  return `req_${randomUUIDv7().replaceAll('-', '')}`
}
