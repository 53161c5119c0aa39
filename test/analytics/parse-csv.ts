/** Reads a file as RFC 4180 has it: lines end with CRLF, and a quoted cell may hold anything. */
import assert from 'node:assert/strict'

export function parseCsv(text: string): readonly (readonly string[])[] {
  const rows: string[][] = []
  let row: string[] = []
  let position = 0
  while (position < text.length) {
    const cell = text[position] === '"' ? quotedCell(text, position) : plainCell(text, position)
    row.push(cell.value)
    position = cell.end
    if (text[position] === ',') position += 1
    else {
      assert.equal(text.slice(position, position + 2), '\r\n', `at ${position}`)
      position += 2
      rows.push(row)
      row = []
    }
  }
  assert.deepEqual(row, [], 'the last line has no end')
  return rows
}

interface Cell {
  readonly value: string
  readonly end: number
}

function quotedCell(text: string, start: number): Cell {
  let value = ''
  for (let position = start + 1; ; position += 1) {
    assert.ok(position < text.length, 'a quoted cell has no end')
    if (text[position] !== '"') value += text[position]
    else if (text[position + 1] === '"') value += text[++position]
    else return { value, end: position + 1 }
  }
}

function plainCell(text: string, start: number): Cell {
  const rest = text.slice(start, start + 10_000)
  const length = rest.search(/[,\r\n]/)
  const value = rest.slice(0, length)
  assert.ok(length >= 0 && !value.includes('"'), `a bare cell has a quote or no end: ${value}`)
  return { value, end: start + length }
}
