/**
 * Names the program behind a user agent in a few words, such as "Firefox 140 on Linux".
 * A short table; a dependency would be larger.
 */

const browsers: readonly (readonly [name: string, version: RegExp])[] = [
  // Before Chrome and Safari, whose names they carry too.
  ['Edge', /\bEdg(?:e|A|iOS)?\/(\d{1,4})/],
  ['Opera', /\bOPR\/(\d{1,4})/],
  ['Firefox', /\b(?:Firefox|FxiOS)\/(\d{1,4})/],
  ['Chrome', /\b(?:Headless)?(?:Chrome|CriOS)\/(\d{1,4})/],
  ['Safari', /\bVersion\/(\d{1,4})[\d.]* .*Safari\//],
]

const systems: readonly (readonly [name: string, mark: RegExp])[] = [
  ['Windows', /Windows/],
  ['Android', /Android/],
  ['iOS', /iPhone|iPad/],
  ['macOS', /Mac OS X|Macintosh/],
  ['ChromeOS', /CrOS/],
  ['Linux', /Linux/],
]

const programs: ReadonlyMap<string, string> = new Map([
  ['causeway', 'Causeway CLI'],
  ['causeway-helper', 'Sign-in helper'],
  ['claude-cli', 'Claude Code'],
])

const MAX_READ = 512

/** Anybody can write anything into this header, a secret by mistake too: only names and numbers are taken from it. */
export function nameClient(userAgent: string | undefined): string | null {
  const text = userAgent?.slice(0, MAX_READ) ?? ''
  for (const [name, version] of browsers) {
    const found = text.startsWith('Mozilla/') ? version.exec(text) : null
    if (found === null) continue
    const system = systems.find(([, mark]) => mark.test(text))?.[0]
    return system === undefined ? `${name} ${found[1]}` : `${name} ${found[1]} on ${system}`
  }
  const known = /^([a-z-]{1,20})(?:\/(\d{1,5}(?:\.\d{1,5}){0,3}))?(?![\w.-]*[\w])/i.exec(text)
  const program = known?.[1]?.toLowerCase()
  if (known === null || program === undefined || program === 'mozilla') return null
  const name = programs.get(program) ?? (known[2] === undefined ? undefined : known[1])
  if (name === undefined) return null
  return known[2] === undefined ? name : `${name} ${known[2]}`
}
