/** The answers that a shutdown waits for: known here one by one, and outside as one piece of work while there are any. */
import { type ListMember, UnorderedList } from './unordered-list.ts'

/** Registers work; `stop` is called when its time is up. */
export type Track = (stop: () => void) => { readonly done: () => void }

interface Running extends ListMember {
  readonly stop: () => void
}

export function createRunningAnswers(track: Track): Track {
  const running = new UnorderedList<Running>()
  let outside: ReturnType<Track> | undefined
  const stopAll = (): void => {
    for (const answer of running.all()) answer.stop()
  }
  return (stop) => {
    const answer: Running = { stop, place: -1 }
    running.add(answer)
    outside ??= track(stopAll)
    return {
      done: () => {
        if (!running.remove(answer) || running.size > 0) return
        outside?.done()
        outside = undefined
      },
    }
  }
}
