/**
 * Records that the database refuses in every form, or that nothing had room for: one line of JSON each, for a person to
 * look at and for the next start, which tries them again. A later release or a mended database may take them.
 */
import { appendFile, open } from 'node:fs/promises'
import type { SpendRecord } from '../../../foundation/domain/spend-record.ts'

export async function putIntoQuarantine(file: string, texts: readonly string[]): Promise<void> {
  await appendFile(file, texts.map((text) => `${text}\n`).join(''), { mode: 0o600 })
}

export type QuarantinedLine =
  | { readonly kind: 'record'; readonly record: SpendRecord }
  | { readonly kind: 'damaged'; readonly bytes: number }

/** Line by line: an outage without a journal may have left more than memory should hold. Nothing when there is no file. */
export async function* readQuarantine(file: string): AsyncGenerator<QuarantinedLine> {
  const handle = await open(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (handle === undefined) return
  try {
    for await (const line of handle.readLines({ encoding: 'utf8', autoClose: false }))
      if (line !== '') yield parseLine(line)
  } finally {
    await handle.close()
  }
}

function parseLine(line: string): QuarantinedLine {
  try {
    const record = JSON.parse(line) as Partial<SpendRecord> | null
    // A person may have had the file in an editor.
    if (typeof record?.requestId === 'string' && typeof record.round === 'number' && typeof record.atMs === 'number')
      return { kind: 'record', record: record as SpendRecord }
  } catch {
    // The process died while it wrote.
  }
  return { kind: 'damaged', bytes: Buffer.byteLength(line) }
}
