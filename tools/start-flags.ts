/** The flags of Node that the gateway is started with, as `npm start` has them: what is measured and packed is what is meant. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const START = /exec node (?<flags>(?:--\S+ )+)src\/main\.ts$/

export function startFlags(): readonly string[] {
  const text = readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')
  const { start } = (JSON.parse(text) as { readonly scripts: { readonly start: string } }).scripts
  const flags = START.exec(start)?.groups?.['flags']
  if (flags === undefined) throw new Error(`the script "start" does not say how the gateway is started: ${start}`)
  return flags.trim().split(' ')
}
