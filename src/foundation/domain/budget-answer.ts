/** A time limit of our own for answers of the database that a call waits for: taking a connection has none. */
export async function answerWithin<R>(timeoutMs: number, answer: Promise<R>): Promise<R> {
  const { promise: expired, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`the database gave no answer within ${timeoutMs} ms`)), timeoutMs)
  try {
    return await Promise.race([answer, expired])
  } finally {
    clearTimeout(timer)
    // The late answer of a lost race must not become an unhandled rejection.
    answer.catch(() => undefined)
  }
}
