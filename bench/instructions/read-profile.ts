/** Reads what callgrind has counted, with the names that V8 gives to the code it makes. */
import { createReadStream, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

export interface CountedFunction {
  readonly name: string
  readonly instructions: number
  /** Who called it: how often, and at what cost with all that it called. */
  readonly callers: ReadonlyMap<string, CallCount>
}

export interface CallCount {
  calls: number
  instructions: number
}

interface Counting {
  instructions: number
  readonly callers: Map<string, CallCount>
}

/**
 * One thread's profile, counted by instruction. Code that V8 made has its address for a name, which the map
 * tells; what a call costs stands in the line after it, which is no cost of its own.
 */
export async function readProfile(profile: string, map: string): Promise<readonly CountedFunction[]> {
  const nameAt = createNames(readFileSync(map, 'latin1'))
  const counted = new Map<string, Counting>()
  const findCounting = (name: string): Counting => {
    let counting = counted.get(name)
    if (counting === undefined) counted.set(name, (counting = { instructions: 0, callers: new Map() }))
    return counting
  }
  const readName = (sent: string): string => (sent.startsWith('0x') ? nameAt(Number(sent)) : sent)
  let own = ''
  let callee: string | undefined
  let calls = 0
  for await (const line of createInterface(createReadStream(profile, 'latin1'))) {
    if (line.startsWith('fn=')) own = readName(line.slice(3))
    else if (line.startsWith('cfn=')) callee = readName(line.slice(4))
    else if (line.startsWith('calls=')) calls = Number.parseInt(line.slice(6), 10)
    else if (line.startsWith('0x')) {
      const [, , instructions = '0'] = line.split(' ')
      if (callee === undefined) findCounting(own).instructions += Number(instructions)
      else addCall(findCounting(callee).callers, own, calls, Number(instructions))
      callee = undefined
    }
  }
  return [...counted].map(([name, counting]) => ({ name, ...counting }))
}

function addCall(callers: Map<string, CallCount>, name: string, calls: number, instructions: number): void {
  const known = callers.get(name)
  if (known === undefined) callers.set(name, { calls, instructions })
  else {
    known.calls += calls
    known.instructions += instructions
  }
}

/** From the lines `address size name` of `--perf-basic-prof`; what was made later at an address stands for it. */
function createNames(map: string): (address: number) => string {
  const byStart = new Map<number, { readonly end: number; readonly name: string }>()
  for (const line of map.split('\n')) {
    const [, start = '', size = '', name = ''] = /^([0-9a-f]+) ([0-9a-f]+) (.*)$/.exec(line) ?? []
    const from = Number.parseInt(start, 16)
    if (name !== '') byStart.set(from, { end: from + Number.parseInt(size, 16), name: plainName(name) })
  }
  const starts = Float64Array.from(byStart.keys()).sort()
  return (address) => {
    let low = 0
    let high = starts.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((starts[middle] ?? 0) <= address) low = middle + 1
      else high = middle
    }
    const found = byStart.get(starts[low - 1] ?? Number.NaN)
    return found !== undefined && address < found.end ? found.name : 'code of V8 without a name'
  }
}

/** `JS:*'scan file:///…/src/platform/json.ts:9:1` is `scan src/platform/json.ts:9`, whichever compiler made it. */
function plainName(name: string): string {
  return name
    .replace(/^JS:[*+^~]?'?/, '')
    .replace(/file:\/\/\S*?\/(?=(?:src|node_modules)\/)/, '')
    .replace(/(:\d+):\d+$/, '$1')
}
