/** Sends the rest of many streams one event at a time, spread evenly over the milliseconds. */
import type { Socket } from 'node:net'
import type { StreamBytes } from './answers.ts'

interface Paced {
  readonly socket: Socket
  readonly bytes: StreamBytes
  next: number
}

export interface Pacer {
  readonly add: (socket: Socket, bytes: StreamBytes) => void
  readonly stop: () => void
}

export function createPacer(eventsPerSecond: number): Pacer {
  const slotCount = Math.round(1000 / eventsPerSecond)
  const slots: Set<Paced>[] = Array.from({ length: slotCount }, () => new Set())
  const startedMs = performance.now()
  let tick = 0
  let added = 0

  const send = (slot: Set<Paced>): void => {
    for (const stream of slot) {
      const event = stream.bytes.events[stream.next]
      if (event === undefined || stream.socket.destroyed) {
        slot.delete(stream)
        if (!stream.socket.destroyed) stream.socket.write(stream.bytes.end)
        continue
      }
      stream.next += 1
      stream.socket.write(event)
    }
  }

  // By the clock and not by the count of calls: timers come late, and the pace must not.
  const timer = setInterval(() => {
    const due = Math.floor(performance.now() - startedMs)
    if (due - tick > slotCount) tick = due - slotCount
    for (; tick < due; tick += 1) send(slots[tick % slotCount] as Set<Paced>)
  }, 1)

  return {
    add: (socket, bytes) => {
      added += 1
      const slot = slots[(added * 7) % slotCount] as Set<Paced>
      slot.add({ socket, bytes, next: 1 })
    },
    stop: () => clearInterval(timer),
  }
}
