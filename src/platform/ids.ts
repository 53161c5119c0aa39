/** Ids the gateway makes. Time-ordered, so that indexes over them grow at one end. */
import { randomUUIDv7 } from 'node:crypto'

export function newId(): string {
  return randomUUIDv7()
}

export function newRequestId(): string {
  return `req_${randomUUIDv7().replaceAll('-', '')}`
}
