import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Section, type Snapshot, sections } from '../domain/snapshot.ts'
import { createSnapshotHolder } from './snapshot-holder.memory.ts'

type Versions = Record<Section, number>

function versionsOf(keys: number): Versions {
  return { ...(Object.fromEntries(sections.map((name) => [name, 1])) as Versions), keys }
}

function fakeSource() {
  const state = { keys: 1, reads: 0, fail: false, gate: Promise.resolve() }
  return {
    state,
    source: {
      readVersions: async () => versionsOf(state.keys),
      readSnapshot: async () => {
        state.reads += 1
        const seen = state.keys
        await state.gate
        if (state.fail) throw new Error('database away')
        return { versions: versionsOf(seen) } as Snapshot
      },
    },
  }
}

test('a poll reads the snapshot only when a version differs', async () => {
  const { state, source } = fakeSource()
  const holder = createSnapshotHolder(undefined, source)
  assert.equal(holder.isLoaded(), false)
  await holder.poll()
  await holder.poll()
  assert.equal(state.reads, 1)
  state.keys = 2
  await holder.poll()
  assert.equal(state.reads, 2)
  assert.equal(holder.current().versions.keys, 2)
})

test('a failed reload keeps the old snapshot and is seen again by the next poll', async () => {
  const { state, source } = fakeSource()
  const holder = createSnapshotHolder(undefined, source)
  await holder.poll()
  state.keys = 2
  state.fail = true
  await assert.rejects(holder.poll())
  assert.equal(holder.current().versions.keys, 1)
  state.fail = false
  await holder.poll()
  assert.equal(holder.current().versions.keys, 2)
})

test('a reload asked for during a read sees changes made after that read began', async () => {
  const { state, source } = fakeSource()
  const holder = createSnapshotHolder(undefined, source)
  let open = (): void => {}
  state.gate = new Promise((resolve) => {
    open = resolve
  })
  const first = holder.reload()
  state.keys = 5
  const second = holder.reload()
  const third = holder.reload()
  open()
  await Promise.all([first, second, third])
  assert.equal(holder.current().versions.keys, 5)
  assert.equal(state.reads, 2, 'the two later callers share one read')
})
