/**
 * Reads the whole CSV in a process of its own and says how much it was: `node download.ts <url> <token>`. It says when it
 * has started and waits for a word: what starting it costs is no cost of the export.
 */
import { once } from 'node:events'

const [url = '', token = ''] = process.argv.slice(2)
const headers = { authorization: `Bearer ${token}` }
// The first request of a process loads its client.
await (await fetch(new URL('/health', url))).arrayBuffer()
console.log('ready')
await once(process.stdin, 'data')
const startedMs = performance.now()
const response = await fetch(url, { headers })
if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`)
let bytes = 0
let lines = 0
for await (const chunk of response.body ?? []) {
  bytes += chunk.length
  for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) lines += 1
}
console.log(JSON.stringify({ ms: Math.round(performance.now() - startedMs), bytes, rows: lines - 1 }))
process.stdin.destroy()
