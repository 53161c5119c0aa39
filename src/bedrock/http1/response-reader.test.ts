import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ResponseReader } from './response-reader.ts'

interface Outcome {
  status: number
  headers: Readonly<Record<string, string>>
  body: string
  end: 'open' | 'reusable' | 'close' | 'malformed' | 'until-close'
}

function read(text: string, cuts: readonly number[] = []): Outcome {
  const outcome: Outcome = { status: 0, headers: {}, body: '', end: 'open' }
  const reader = new ResponseReader({
    onHead(status, headers) {
      assert.equal(outcome.status, 0, 'one head only')
      outcome.status = status
      outcome.headers = headers
    },
    onBody(bytes, start, end) {
      assert.equal(outcome.end, 'open', 'no body after the end')
      assert.ok(end > start)
      outcome.body += bytes.toString('latin1', start, end)
    },
    onComplete(isReusable) {
      assert.equal(outcome.end, 'open', 'one end only')
      outcome.end = isReusable ? 'reusable' : 'close'
    },
    onMalformed() {
      assert.equal(outcome.end, 'open', 'one end only')
      outcome.end = 'malformed'
    },
  })
  reader.begin()
  const bytes = Buffer.from(text, 'latin1')
  const memory = Buffer.alloc(bytes.length + 7, '\r\n')
  const borders = [0, ...cuts, bytes.length]
  for (let index = 1; index < borders.length; index += 1) {
    const from = borders[index - 1] ?? 0
    const to = borders[index] ?? 0
    bytes.copy(memory, index % 7, from, to)
    reader.push(memory, index % 7, (index % 7) + to - from)
  }
  if (outcome.end === 'open' && reader.endsHere()) outcome.end = 'until-close'
  return outcome
}

const ok = 'HTTP/1.1 200 OK\r\n'
const samples: readonly (readonly [name: string, text: string, body: string, end: Outcome['end']])[] = [
  ['content length', `${ok}Content-Length: 5\r\nX-A:  b \r\n\r\nhello`, 'hello', 'reusable'],
  ['empty body', `${ok}content-length: 0\r\n\r\n`, '', 'reusable'],
  ['no content', 'HTTP/1.1 204 No Content\r\n\r\n', '', 'reusable'],
  ['not modified with a length', 'HTTP/1.1 304 x\r\ncontent-length: 9\r\n\r\n', '', 'reusable'],
  ['no reason phrase', 'HTTP/1.1 200\r\ncontent-length: 1\r\n\r\na', 'a', 'reusable'],
  [
    'interim responses',
    `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 x\r\nlink: y\r\n\r\n${ok}content-length: 1\r\n\r\na`,
    'a',
    'reusable',
  ],
  [
    'chunked',
    `${ok}Transfer-Encoding: Chunked\r\n\r\n5\r\nhello\r\n00a\r\n, my world\r\n0\r\n\r\n`,
    'hello, my world',
    'reusable',
  ],
  [
    'chunk extensions',
    `${ok}transfer-encoding: chunked\r\n\r\n3;a=b\r\nabc\r\n2 ;x="y"\r\nde\r\n0;z\r\n\r\n`,
    'abcde',
    'reusable',
  ],
  [
    'trailers',
    `${ok}transfer-encoding: chunked\r\n\r\nA\r\n0123456789\r\n0\r\nx-t: 1\r\ny: 2\r\n\r\n`,
    '0123456789',
    'reusable',
  ],
  [
    'chunk data that looks like framing',
    `${ok}transfer-encoding: chunked\r\n\r\n7\r\n\r\n0\r\n\r\n\r\n0\r\n\r\n`,
    '\r\n0\r\n\r\n',
    'reusable',
  ],
  ['until close', `${ok}x: y\r\n\r\nabc`, 'abc', 'until-close'],
  ['connection close', `${ok}connection: close\r\ncontent-length: 2\r\n\r\nok`, 'ok', 'close'],
  ['HTTP/1.0', 'HTTP/1.0 200 OK\r\ncontent-length: 2\r\n\r\nok', 'ok', 'close'],
  ['HTTP/1.0 that stays', 'HTTP/1.0 200 OK\r\nconnection: keep-alive\r\ncontent-length: 2\r\n\r\nok', 'ok', 'reusable'],
  ['both framings', `${ok}content-length: 3\r\ntransfer-encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n`, 'a', 'close'],
  ['bytes after the end', `${ok}content-length: 2\r\n\r\nokHTTP/1.1 200 OK\r\n\r\n`, 'ok', 'close'],
]

for (const [name, text, body, end] of samples) {
  test(`reads a response whole, in single bytes and cut at every place: ${name}`, () => {
    const cutLists = [
      [],
      Array.from({ length: text.length - 1 }, (_, index) => index + 1),
      ...Array.from({ length: text.length - 1 }, (_, index) => [index + 1]),
    ]
    for (const cuts of cutLists) {
      const outcome = read(text, cuts)
      assert.equal(outcome.body, body)
      // Bytes behind the end are only seen when they come in the same read.
      if (name !== 'bytes after the end') assert.equal(outcome.end, end)
    }
    assert.equal(read(text).end, end)
  })

  test(`a response cut short is never complete: ${name}`, () => {
    if (end === 'until-close' || name === 'bytes after the end') return assert.equal(read(text).body, body)
    for (let length = 0; length < text.length; length += 1) assert.equal(read(text.slice(0, length)).end, 'open')
  })
}

test('header names are lower case, values are trimmed and repeated headers joined', () => {
  const { headers } = read(`${ok}X-Amzn-RequestId:  abc \r\nVary: a\r\nvary: b\r\ncontent-length: 0\r\n\r\n`)
  assert.equal(headers['x-amzn-requestid'], 'abc')
  assert.equal(headers['vary'], 'a, b')
})

const malformed: readonly (readonly [name: string, text: string])[] = [
  ['not HTTP', 'SSH-2.0-OpenSSH_9.0\r\n\r\n'],
  ['HTTP/2 preface', 'HTTP/2 200\r\n\r\n'],
  ['status of two digits', 'HTTP/1.1 20 OK\r\n\r\n'],
  ['status of four digits', 'HTTP/1.1 2000 OK\r\n\r\n'],
  ['switching protocols', 'HTTP/1.1 101 x\r\nupgrade: h2c\r\n\r\n'],
  ['two lengths', `${ok}content-length: 1\r\ncontent-length: 2\r\n\r\nab`],
  ['negative length', `${ok}content-length: -1\r\n\r\n`],
  ['length that is no number', `${ok}content-length: 1e3\r\n\r\n`],
  ['length beyond counting', `${ok}content-length: 99999999999999999999\r\n\r\n`],
  ['unknown coding', `${ok}transfer-encoding: gzip, chunked\r\n\r\n`],
  ['coding twice', `${ok}transfer-encoding: chunked\r\ntransfer-encoding: chunked\r\n\r\n`],
  ['no colon', `${ok}content-length\r\n\r\n`],
  ['blank before the colon', `${ok}content-length : 1\r\n\r\na`],
  ['folded line', `${ok}x: a\r\n b\r\n\r\n`],
  ['empty name', `${ok}: a\r\n\r\n`],
  ['bare line feed', `${ok}x: a\ny: b\r\n\r\n`],
  ['bare line feed after the status', 'HTTP/1.1 200 OK\nx: y\r\n\r\n'],
  ['bare carriage return', `${ok}x: a\ry: b\r\n\r\n`],
  ['null byte', `${ok}x: a\0b\r\n\r\n`],
  ['head too large', `${ok}x: ${'a'.repeat(66_000)}\r\n\r\n`],
  ['head without an end', `${ok}x: ${'a'.repeat(66_000)}`],
  ['interim responses without an end', 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(3_000)],
  ['chunk size that is no number', `${ok}transfer-encoding: chunked\r\n\r\nxyz\r\n`],
  ['empty chunk size', `${ok}transfer-encoding: chunked\r\n\r\n\r\n`],
  ['negative chunk size', `${ok}transfer-encoding: chunked\r\n\r\n-5\r\nhello\r\n`],
  ['chunk size with 0x', `${ok}transfer-encoding: chunked\r\n\r\n0x5\r\nhello\r\n`],
  ['chunk size beyond counting', `${ok}transfer-encoding: chunked\r\n\r\nfffffffffffffffff\r\n`],
  ['chunk line ended by a bare line feed', `${ok}transfer-encoding: chunked\r\n\r\n5\nhello\r\n`],
  ['chunk longer than it says', `${ok}transfer-encoding: chunked\r\n\r\n4\r\nhello\r\n0\r\n\r\n`],
  ['chunk shorter than it says', `${ok}transfer-encoding: chunked\r\n\r\n6\r\nhello\r\n0\r\n\r\n`],
  ['endless extension', `${ok}transfer-encoding: chunked\r\n\r\n5;${'a'.repeat(5_000)}\r\n`],
  ['endless trailers', `${ok}transfer-encoding: chunked\r\n\r\n0\r\n${'x: y\r\n'.repeat(15_000)}`],
  ['trailer ended by a bare line feed', `${ok}transfer-encoding: chunked\r\n\r\n0\r\nx: y\n\r\n`],
]

for (const [name, text] of malformed) {
  test(`refuses a malformed response: ${name}`, () => {
    assert.equal(read(text).end, 'malformed')
    const thirds = [Math.floor(text.length / 3), Math.floor((text.length * 2) / 3)]
    assert.equal(read(text, thirds).end, 'malformed')
  })
}

test('nothing is handed over after stop', () => {
  let spans = 0
  const reader = new ResponseReader({
    onHead: () => undefined,
    onBody() {
      spans += 1
      reader.stop()
    },
    onComplete: () => assert.fail('stopped'),
    onMalformed: () => assert.fail('stopped'),
  })
  reader.begin()
  const bytes = Buffer.from(`${ok}transfer-encoding: chunked\r\n\r\n1\r\na\r\n1\r\nb\r\n0\r\n\r\n`)
  reader.push(bytes, 0, bytes.length)
  assert.equal(spans, 1)
})
