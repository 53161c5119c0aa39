/** As `toISOString`, which has become one of the dearest calls there are: within a second only the milliseconds are written anew. */

let knownSecond = Number.NaN
let textOfSecond = ''

export function isoTime(timeMs: number): string {
  const second = Math.floor(timeMs / 1000)
  if (second !== knownSecond) {
    textOfSecond = new Date(second * 1000).toISOString().slice(0, -4)
    knownSecond = second
  }
  const milliseconds = Math.floor(timeMs) - second * 1000
  return `${textOfSecond}${milliseconds < 100 ? (milliseconds < 10 ? '00' : '0') : ''}${milliseconds}Z`
}
