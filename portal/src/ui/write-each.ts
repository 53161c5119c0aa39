/** One write for each of several records. Some may succeed and others not; both are told. */
import { ApiError, toApiError } from '../api/api-error.ts'

const AT_ONCE = 4

/** Resolves when all succeeded; otherwise throws what the first failure said, with how many were done. */
export async function writeEach<T>(items: readonly T[], write: (item: T) => Promise<unknown>): Promise<void> {
  const waiting = [...items]
  const failures: ApiError[] = []
  const work = async (): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift())
      try {
        await write(item)
      } catch (error) {
        failures.push(toApiError(error))
      }
  }
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, items.length) }, work))
  const [first] = failures
  if (first === undefined) return
  throw new ApiError(`${items.length - failures.length} of ${items.length} are done. ${first.message}`, {
    status: first.status,
    code: first.code,
    requestId: first.requestId,
  })
}
