/**
 * How likely a token ends between two letters of a word.
 *
 * Length alone prices an English and a German word of twelve letters alike, although the second is cut into twice as
 * many tokens. Letter pairs tell them apart, and both from hashes, without shipping a vocabulary of 65,000 tokens.
 * The numbers are a least-squares fit to the words of the public tokenizer over source code in several languages,
 * technical English, a dozen other European languages, and random hexadecimal and base64 text.
 */

/** Prices are integers in this fraction of a token: exact in any order of summing, and fine enough for long rules of one sign. */
export const UNITS_PER_TOKEN = 80

/** Row: first letter. Column: second letter. Digit in base 36: twentieths of a token. */
const ROWS = [
  'l211i50j3e8012m3i040514506',
  '2d4d7jje90c08p1eb73i0bnl3i',
  '0b410bg34g004g0a405004jg0m',
  '49g01e1r28209e62k81c67bb2l',
  '0610509fefg424510111a2803l',
  '2f9i300u0fe2490eg2340am36u',
  '5edg5j302na67276y0786ojk29',
  '07gc1lde1smb030gk9722sfj4k',
  '5520333k9gc120028421k0s3x0',
  '5jvl2xqr8x0nji58eq7p6feslk',
  '9gj40gcx4ipgj1niok3lchadbb',
  '41b01ac92ne5a910ld33044h0h',
  '00o80rdz3md56233lo3j5hmn5j',
  '3h01232f3j24c542fd1062mo5i',
  '2110d41b0c041021s06001064c',
  '0me10hb25h007g03023124ge2q',
  'plzblgqpaza4xvzrj0ci0pojvk',
  '2c33142i2o494406i65454bi0n',
  '5n6e01b31o37d5336711276m0m',
  '3c093a501wi69640e1261o240f',
  '2236184d5tb00590v040k0m4le',
  '2hgx2ndg1ncngeeuvnrj7m0lin',
  '0gma3cg12zd5m02hw03cei50bl',
  '2b2a3czc4klrclj1se72ruw109',
  'idjmasls4nk74271j870fjahc0',
  '6olj4yglfmifnichmnm9bo7g7f',
]

const UNITS_PER_DIGIT = UNITS_PER_TOKEN / 20

/** Letters are counted from 0 and have no case here. */
export function letterPairUnits(first: number, second: number): number {
  return Number.parseInt(ROWS[first]?.[second] ?? '0', 36) * UNITS_PER_DIGIT
}
