import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { createGunzip, gzipSync } from 'node:zlib'
import { type BodyRules, readBody, readPieces } from './read-body.ts'

const rules: BodyRules = {
  maxBytes: 8,
  tooLarge: () => new Error('too large'),
  endedEarly: () => new Error('ended early'),
}

/** As the parser leaves a request: complete when its last byte has come, whether that was read or not. */
const openRequest = (complete = false): PassThrough & IncomingMessage =>
  Object.assign(new PassThrough(), { complete }) as unknown as PassThrough & IncomingMessage

test('a body comes whole up to the limit', async () => {
  const request = openRequest()
  request.write('1234')
  request.end('5678')
  assert.equal(String(await readBody(request, rules)), '12345678')
})

test('beyond the limit a body is refused, and the rest is read so that the answer arrives', async () => {
  const request = openRequest()
  request.write('123456789')
  await assert.rejects(readBody(request, rules), /too large/)
  request.end('the rest')
  request.on('data', () => {})
  await new Promise((resolve) => request.on('end', resolve))
})

test('the limit counts what a body inflates to', async () => {
  const inflate = { stream: createGunzip(), unreadable: () => new Error('unreadable') }
  const request = openRequest(true)
  request.end(gzipSync('0'.repeat(1_000)))
  await assert.rejects(readBody(request, { ...rules, inflate }), /too large/)
})

test('a body that is not compressed as it says is unreadable', async () => {
  const inflate = { stream: createGunzip(), unreadable: () => new Error('unreadable') }
  const request = openRequest(true)
  request.end('plain')
  await assert.rejects(readBody(request, { ...rules, inflate }), /unreadable/)
})

test('a client that leaves, before or while it is read, ends the reading', async () => {
  const gone = openRequest()
  gone.destroy()
  await assert.rejects(readBody(gone, rules), /ended early/)
  const leaving = openRequest()
  leaving.write('1')
  const reading = readBody(leaving, rules)
  leaving.destroy()
  await assert.rejects(reading, /ended early/)
})

test('a reading can be stopped once, for a reason of the caller', async () => {
  const request = openRequest()
  const reading = readPieces(request, rules, () => {})
  assert.equal(reading.stop(new Error('no room')), true)
  assert.equal(reading.stop(new Error('again')), false)
  await assert.rejects(reading.done, /no room/)
})
