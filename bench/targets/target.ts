/** What is measured: a process that takes requests on a port, and how to speak to it. */
export interface Wire {
  readonly path: string
  /** More than one where callers differ, such as by their keys; sent in turn. */
  readonly headers: readonly Readonly<Record<string, string>>[]
  readonly body: Buffer
}

export interface Target {
  readonly name: TargetName
  readonly port: number
  /** Undefined for the upstream stub asked directly: it is not measured. */
  readonly pid: number | undefined
  readonly plain: (bodyBytes: number) => Wire
  readonly stream: (bodyBytes: number) => Wire
  readonly stop: () => Promise<void>
}

export type TargetName = 'causeway' | 'nginx' | 'portkey' | 'direct' | FloorStep

/** What `floor/step-server.ts` does for a call, each and all before it. */
export type FloorStep = 'pass' | 'hash' | 'sign' | 'journal'

/** Starts the target afresh; undefined with a reason already printed when it cannot be had. */
export type Launch = () => Promise<Target>

/** Raw bytes of one request for each set of headers. */
export function requestBytes(port: number, wire: Wire): readonly Buffer[] {
  return requestHeads(port, wire).map((head) => Buffer.concat([Buffer.from(head), wire.body]))
}

/** Always in the same order, as a client sends them: each other order is another shape for a compiler to learn. */
export function requestHeads(port: number, wire: Wire): readonly string[] {
  return wire.headers.map((headers) => {
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    return (
      `POST ${wire.path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ncontent-type: application/json\r\n` +
      `${lines.join('')}content-length: ${wire.body.length}\r\n\r\n`
    )
  })
}
