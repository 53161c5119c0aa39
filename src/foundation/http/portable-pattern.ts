/** Regular expressions of the API description in words that other languages read too: Python knows no `\p{…}`. */

/**
 * The members of a category as ranges. Surrogates are left out, since no text in UTF-8 has them, and so are characters
 * beyond U+FFFF, which languages write in different ways.
 */
const ranges: Readonly<Record<string, string>> = {
  Cc: '\\x00-\\x1f\\x7f-\\x9f',
  Cf: '\\xad\\u0600-\\u0605\\u061c\\u06dd\\u070f\\u0890\\u0891\\u08e2\\u180e\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u2064\\u2066-\\u206f\\ufeff\\ufff9-\\ufffb',
  Cs: '',
  Zl: '\\u2028',
  Zp: '\\u2029',
}

export function toPortablePattern(pattern: string): string {
  return pattern.replace(/\\p\{(\w+)\}/g, (_whole, category: string) => {
    const range = ranges[category]
    if (range === undefined) throw new Error(`no ranges are known for the category ${category} of ${pattern}`)
    return range
  })
}
