import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { noteYoungBuffer } from './young-buffers.ts'

const MIB = 1024 * 1024

test('buffers that nobody holds are given back long before they fill the memory', async () => {
  const before = process.memoryUsage().external
  let highest = before
  for (let round = 0; round < 400; round += 1) {
    Buffer.allocUnsafeSlow(MIB)
    noteYoungBuffer(MIB)
    highest = Math.max(highest, process.memoryUsage().external)
    // Memory is freed beside the program and counted a turn later.
    if (round % 10 === 0) await nextTurn()
  }
  // Left to itself the collector lets well over 100 MiB gather.
  assert.ok(highest - before < 64 * MIB, `${Math.round((highest - before) / MIB)} MiB`)
})

test('the collector stays out of reach of the rest of the program', () => {
  for (let round = 0; round < 20; round += 1) noteYoungBuffer(MIB)
  assert.equal(globalThis.gc, undefined)
})
