/** Holds the built portal to its weight: the first load, every page, the style and the fonts. Exits with 1 when one is over. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'

const assets = path.resolve(import.meta.dirname, '../../portal/dist/assets')
const KIB = 1024
const limits = { initial: 160 * KIB, chunk: 45 * KIB, css: 12 * KIB, fonts: 55 * KIB } as const

interface Sizes {
  /** What the shell loads before any page: the entry and what it imports at once. */
  readonly initial: number
  readonly chunks: readonly { readonly name: string; readonly bytes: number }[]
  readonly css: number
  readonly fonts: number
}

const gzipBytes = (name: string): number => statSync(path.join(assets, `${name}.gz`)).size

function measure(): Sizes {
  const names = readdirSync(assets)
  const shell = readFileSync(path.join(assets, '../index.html'), 'utf8')
  const first = new Set([...shell.matchAll(/\/portal\/assets\/([\w.-]+\.js)/g)].map(([, name = '']) => name))
  const scripts = names.filter((name) => name.endsWith('.js'))
  const total = (list: readonly string[], size: (name: string) => number): number =>
    list.reduce((sum, name) => sum + size(name), 0)
  return {
    initial: total([...first], gzipBytes),
    chunks: scripts
      .filter((name) => !first.has(name))
      .map((name) => ({ name, bytes: gzipBytes(name) }))
      .sort((a, b) => b.bytes - a.bytes),
    css: total(
      names.filter((name) => name.endsWith('.css')),
      gzipBytes,
    ),
    fonts: total(
      names.filter((name) => name.endsWith('.woff2')),
      (name) => statSync(path.join(assets, name)).size,
    ),
  }
}

const kib = (bytes: number): string => `${(bytes / KIB).toFixed(1)} KB`

/** One line for each limit that is exceeded; empty when all is well. */
export function checkSizes(): string[] {
  const { initial, chunks, css, fonts } = measure()
  const broken: string[] = []
  const hold = (what: string, bytes: number, limit: number): void => {
    if (bytes > limit) broken.push(`${what} weighs ${kib(bytes)}, and may weigh ${kib(limit)}`)
  }
  hold('The first load of JavaScript (gzip)', initial, limits.initial)
  for (const { name, bytes } of chunks) hold(`The chunk ${name} (gzip)`, bytes, limits.chunk)
  hold('The style (gzip)', css, limits.css)
  hold('The fonts', fonts, limits.fonts)
  return broken
}

export function sizeReport(): string {
  const { initial, chunks, css, fonts } = measure()
  const largest = chunks.slice(0, 4).map(({ name, bytes }) => `${name} ${kib(bytes)}`)
  return `first load ${kib(initial)} · css ${kib(css)} · fonts ${kib(fonts)} · ${chunks.length} chunks, largest: ${largest.join(', ')}`
}

if (import.meta.main) {
  console.log(sizeReport())
  const broken = checkSizes()
  for (const line of broken) console.error(line)
  process.exitCode = broken.length > 0 ? 1 : 0
}
