/**
 * Where a host is. Connections that are opened at once share one question, and while the resolver fails or is slow they go to
 * where the host was last: whoever answers there must still prove its name.
 * A few lines around Node's own look-up; a dependency would be larger.
 */
import { lookup as systemLookup } from 'node:dns'
import type { LookupFunction } from 'node:net'

/** Longer than an answer takes that comes at all, and a fifth of what a connection may take. */
const SLOW_MS = 1_000

type Answer = Parameters<LookupFunction>[2]
type Failure = NodeJS.ErrnoException | null
type Addresses = Exclude<Parameters<Answer>[1], string>
type AskAll = (
  host: string,
  options: { readonly all: true },
  answer: (error: Failure, addresses: Addresses) => void,
) => void

/** For sockets, which want all addresses of a host, or the first. */
export function createHostLookup(askAll: AskAll = systemLookup): LookupFunction {
  const last = new Map<string, Addresses>()
  const waiting = new Map<string, Set<(error: Failure, addresses: Addresses) => void>>()

  const ask = (host: string, told: (error: Failure, addresses: Addresses) => void): void => {
    const others = waiting.get(host)
    if (others !== undefined) {
      others.add(told)
      return
    }
    const all = new Set([told])
    waiting.set(host, all)
    askAll(host, { all: true }, (error, addresses) => {
      waiting.delete(host)
      if (error === null) last.set(host, addresses)
      for (const tell of all) tell(error, addresses)
    })
  }

  return (host, options, answer) => {
    let slow: NodeJS.Timeout | undefined
    const give = (error: Failure, addresses: Addresses): void => {
      clearTimeout(slow)
      const [first] = addresses
      if (error !== null || options.all === true || first === undefined) answer(error, addresses)
      else answer(null, first.address, first.family)
    }
    const told = (error: Failure, addresses: Addresses): void => {
      // failure-modes: resolver away. The address of before is tried; a host that has moved is found as soon as it answers.
      const known = error === null ? addresses : last.get(host)
      if (known === undefined) give(error, [])
      else give(null, known)
    }
    const known = last.get(host)
    if (known !== undefined)
      slow = setTimeout(() => {
        waiting.get(host)?.delete(told)
        give(null, known)
      }, SLOW_MS)
    ask(host, told)
  }
}
