/** Whom a pasted list names: one a line, or as mail programs write them, with names before the addresses. */

export function subjectsIn(text: string): readonly string[] {
  const found = text.split(/[\n;]/).flatMap(namedIn)
  return [...new Map(found.map((subject) => [subject.toLowerCase(), subject])).values()]
}

/** A name before an address may have a comma in it, as in `Grey, Gus <gus@example.com>`. */
function namedIn(entry: string): readonly string[] {
  const addresses = [...entry.matchAll(/<([^<>]+)>/g)].map(([, address = '']) => address)
  const others = entry.replaceAll(/[^<>]*<[^<>]+>/g, '').split(',')
  return [...addresses, ...others].map((subject) => subject.trim()).filter((subject) => subject !== '')
}
