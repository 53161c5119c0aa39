/** The newest lines of the log, kept in memory for those who cannot reach the place that the log goes to. */

export interface WrittenLines {
  readonly text: string
  /** Where it ends, counted in characters since the process began: what to read on from. */
  readonly end: number
}

export interface RecentLines {
  /** Whole lines. */
  readonly add: (lines: string) => void
  /** What was written behind `after`, as far as it is still held; everything that is held when that is left out. */
  readonly read: (after?: number) => WrittenLines
}

/** Some thousand lines: the last minutes of a busy gateway, the last hours of a quiet one. */
const HELD_CHARACTERS = 512 * 1024

export function createRecentLines(heldCharacters = HELD_CHARACTERS): RecentLines {
  let pieces: WrittenLines[] = []
  let end = 0
  let first = 0
  let held = 0
  return {
    add: (text) => {
      end += text.length
      held += text.length
      pieces.push({ text, end })
      // The newest piece stays, however long it is: it is what somebody looks for after an error.
      while (held > heldCharacters && first < pieces.length - 1) {
        held -= pieces[first]?.text.length ?? 0
        first += 1
      }
      // Moving all that is left with every piece would cost more than the piece.
      if (first > pieces.length / 2) {
        pieces = pieces.slice(first)
        first = 0
      }
    },
    read: (after = 0) => {
      let text = ''
      for (let at = first; at < pieces.length; at += 1) {
        const piece = pieces[at]
        if (piece !== undefined && piece.end > after) text += piece.text
      }
      return { text, end }
    },
  }
}
