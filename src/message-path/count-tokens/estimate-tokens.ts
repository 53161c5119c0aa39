/**
 * Estimates the input tokens of a Messages body from its bytes, for models that cannot count. One pass, no values
 * built: a client asks up to 34 times at once with bodies of 100 KB.
 * Our own, because the public tokenizer needs a tenth of a second and 30 MB before it counts anything.
 *
 * The body may be a count request or a whole message request. It need not be valid: what cannot be read costs nothing.
 */
import { skipGap, skipScalar, skipString, skipValue, tokenAt, walkArray, walkObject } from './body-walk.ts'
import { UNITS_PER_TOKEN } from './letter-pairs.ts'
import { countString, type EscapeReading, type Scan } from './text-units.ts'

/** What a model is told around the content: the published tool instructions, the frame of a tool, the turn markers. */
export const TOOLS_BASE_TOKENS = 346
export const TOKENS_PER_TOOL = 8
export const TOKENS_PER_MESSAGE = 4
/** Server tools are sent as a name and a version; their published sizes run from 245 (bash) to 735 (computer use). */
export const SERVER_TOOL_TOKENS = 500
/** Larger pictures are scaled down to about this; their bytes say little about their size in pixels. */
export const IMAGE_TOKENS = 1_600
/** A model is given each page as text and as a picture: about this much for a full one. */
export const PDF_PAGE_TOKENS = 3_000
/** Bytes per page vary more than tenfold between a plain letter and a scan; papers and office exports lie around this. */
export const PDF_PAGE_BYTES = 64 * 1024
const PDF_MAX_PAGES = 100
/** Reasoning and search results that come back encrypted: base64 of text at a bit more than four bytes per token. */
const SEALED_BYTES_PER_TOKEN = 6
/** Content within content: a tool result holds blocks, a document may hold blocks, and there it ends. */
const MAX_CONTENT_DEPTH = 16

export function estimateInputTokens(body: Buffer): number {
  const scan: Scan = { bytes: body, at: 0, units: 0 }
  skipGap(scan)
  if (tokenAt(scan) !== 'object') return 0
  walkObject(scan, (key) => {
    if (key === 'system') countContent(scan, 0)
    else if (key === 'messages' && tokenAt(scan) === 'array') walkArray(scan, () => countMessage(scan))
    else if (key === 'tools' && tokenAt(scan) === 'array') countTools(scan)
  })
  return Math.ceil(scan.units / UNITS_PER_TOKEN)
}

function countMessage(scan: Scan): void {
  if (tokenAt(scan) !== 'object') return
  scan.units += TOKENS_PER_MESSAGE * UNITS_PER_TOKEN
  walkObject(scan, (key) => {
    if (key === 'content') countContent(scan, 0)
  })
}

function countContent(scan: Scan, depth: number): void {
  if (depth > MAX_CONTENT_DEPTH) return
  const token = tokenAt(scan)
  if (token === 'string') countText(scan, 'text')
  else if (token === 'array') walkArray(scan, () => countContent(scan, depth + 1))
  else if (token === 'object') countBlock(scan, depth)
}

/** Goes by key rather than by block type: the type may come last, and unknown blocks should cost their text. */
function countBlock(scan: Scan, depth: number): void {
  let isImage = false
  let hasFile = false
  let fileBytes = 0
  walkObject(scan, (key) => {
    const token = tokenAt(scan)
    if (key === 'type') isImage = readString(scan) === 'image'
    else if (key === 'content') countContent(scan, depth + 1)
    else if (key === 'source' && token === 'object') {
      const bytes = countSource(scan, depth)
      hasFile = bytes !== undefined
      fileBytes = bytes ?? 0
    } else if (key === 'data' || key === 'encrypted_content') {
      scan.units += Math.ceil((skippedBytes(scan) * UNITS_PER_TOKEN) / SEALED_BYTES_PER_TOKEN)
    } else if (UNSEEN_IN_BLOCK.has(key)) skipValue(scan)
    else if (token === 'string') countText(scan, 'text')
    else if (token !== 'scalar') countJson(scan, 'text')
  })
  if (hasFile) scan.units += UNITS_PER_TOKEN * (isImage ? IMAGE_TOKENS : pdfTokens(fileBytes))
}

/** Never shown to the model, or (cited text) shown but not charged. */
const UNSEEN_IN_BLOCK = new Set([
  'cache_control',
  'caller',
  'citations',
  'encrypted_index',
  'id',
  'signature',
  'tool_use_id',
])

/** Counts a source that is text; gives the decoded size of one that is a file, 0 where only its address is known. */
function countSource(scan: Scan, depth: number): number | undefined {
  const unitsBefore = scan.units
  let type = ''
  let dataStart = -1
  let dataEnd = -1
  walkObject(scan, (key) => {
    if (key === 'type') type = readString(scan)
    else if (key === 'content') countContent(scan, depth + 1)
    else if (key === 'data' && tokenAt(scan) === 'string') {
      dataStart = scan.at
      skipString(scan)
      dataEnd = scan.at
    }
  })
  if (scan.units > unitsBefore || type === 'content') return undefined
  if (dataStart < 0) return 0
  if (type !== 'text') return ((dataEnd - dataStart - 2) * 3) / 4
  const data: Scan = { bytes: scan.bytes, at: dataStart, units: 0 }
  countText(data, 'text')
  scan.units += data.units
  return undefined
}

function pdfTokens(fileBytes: number): number {
  const pages = Math.min(PDF_MAX_PAGES, Math.max(1, fileBytes / PDF_PAGE_BYTES))
  return Math.ceil(pages * PDF_PAGE_TOKENS)
}

function countTools(scan: Scan): void {
  let count = 0
  walkArray(scan, () => {
    if (tokenAt(scan) === 'object' && countTool(scan) === 'shown') count += 1
  })
  if (count > 0) scan.units += UNITS_PER_TOKEN * (TOOLS_BASE_TOKENS + count * TOKENS_PER_TOOL)
}

/** Models read tool definitions as JSON, so that line breaks inside descriptions stay escapes. */
function countTool(scan: Scan): 'shown' | 'deferred' {
  const unitsBefore = scan.units
  let isDeferred = false
  let isServerTool = false
  walkObject(scan, (key) => {
    if (key === 'defer_loading') isDeferred = scan.bytes[scan.at] === LETTER_T
    else if (key === 'type') isServerTool = isServerToolType(readString(scan))
    else if (!UNSEEN_IN_TOOL.has(key)) {
      scan.units += TOOL_MEMBER_UNITS
      countJson(scan, 'json')
    }
  })
  if (isDeferred) {
    scan.units = unitsBefore
    return 'deferred'
  }
  if (isServerTool) scan.units += SERVER_TOOL_TOKENS * UNITS_PER_TOKEN
  return 'shown'
}

function isServerToolType(type: string): boolean {
  return type !== '' && type !== 'custom'
}

const UNSEEN_IN_TOOL = new Set(['allowed_callers', 'cache_control', 'eager_input_streaming', 'strict'])
const LETTER_T = 0x74
/** A known key and the sign behind it. */
const TOOL_MEMBER_UNITS = 2 * UNITS_PER_TOKEN
/** `":"`, `","`, `{"` and their like are one token each, and one stands before every string and scalar. */
const BEFORE_VALUE_UNITS = UNITS_PER_TOKEN
/** Brackets that close mostly join the signs that follow. */
const CLOSE_UNITS = 12

/** Any value as JSON, keys included. Structure is priced by token, so that white space and order do not matter. */
function countJson(scan: Scan, escapes: EscapeReading): void {
  let depth = 0
  do {
    const token = tokenAt(scan)
    if (token === 'end') return
    if (token === 'string') {
      scan.units += BEFORE_VALUE_UNITS
      countText(scan, escapes)
    } else if (token === 'scalar') {
      const start = scan.at
      skipScalar(scan)
      scan.units += BEFORE_VALUE_UNITS + UNITS_PER_TOKEN * Math.ceil((scan.at - start) / 5)
    } else {
      if (token === 'close') scan.units += CLOSE_UNITS
      depth += token === 'close' ? -1 : 1
      scan.at += 1
    }
    if (depth > 0) skipGap(scan)
  } while (depth > 0)
}

function countText(scan: Scan, escapes: EscapeReading): void {
  scan.at += 1
  countString(scan, escapes)
}

/** Empty where the value is no string; then it is left in place. */
function readString(scan: Scan): string {
  if (tokenAt(scan) !== 'string') return ''
  const start = scan.at + 1
  skipString(scan)
  return scan.bytes.toString('latin1', start, scan.at - 1)
}

/** Length of the value at hand, without quotes. */
function skippedBytes(scan: Scan): number {
  const start = scan.at
  skipValue(scan)
  return Math.max(0, scan.at - start - 2)
}
