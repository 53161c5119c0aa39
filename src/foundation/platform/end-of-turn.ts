/**
 * Waits for the end of this turn of the event loop, with everybody else who waits for it. What comes in one turn then goes on in a
 * row: code and data of a step are in the caches of the processor when the next one needs them.
 */
export function createEndOfTurn(): () => Promise<void> {
  let ending: Promise<void> | undefined
  return () => {
    ending ??= new Promise((resolve) => {
      setImmediate(() => {
        ending = undefined
        resolve()
      })
    })
    return ending
  }
}
