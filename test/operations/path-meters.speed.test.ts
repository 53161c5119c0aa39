import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newMeters, record } from './metered-path.ts'

test('counting one call costs less than two microseconds of processor time', async () => {
  const { meters } = await newMeters()
  const calls = 50_000
  const rounds = Array.from({ length: 5 }, () => {
    const before = process.cpuUsage()
    for (let index = 0; index < calls; index += 1) meters.served(record)
    const { user, system } = process.cpuUsage(before)
    return (user + system) / calls
  })
  assert.ok(Math.min(...rounds) < 2, `${Math.min(...rounds)} µs for each call`)
})
