/** The pool as Kysely sees it: every answer within a time limit, every failure typed, broken connections thrown away. */
import type { PostgresPool, PostgresPoolClient } from 'kysely'
import type { PoolClient, QueryResult } from 'pg'
import type { ScarcePool } from './scarce-connections.ts'
import { breaksConnection, DatabaseUnavailableError, toStoreError } from './store-errors.ts'

/**
 * `answerTimeoutMs` is counted here and not on the server: a server that accepts and never answers enforces nothing.
 * 0 waits for ever.
 */
export function guardedPool({ pool, take }: ScarcePool, answerTimeoutMs: number): PostgresPool {
  return {
    options: pool.options,
    connect: async () => {
      try {
        return guardedClient(await take(), answerTimeoutMs)
      } catch (error) {
        throw toStoreError(error)
      }
    },
    end: async () => {
      if (!pool.ending) await pool.end()
    },
  }
}

function guardedClient(client: PoolClient, answerTimeoutMs: number): PostgresPoolClient {
  let broken: unknown
  const query = async (text: string, parameters: readonly unknown[]): Promise<unknown> => {
    // Without this the rollback of a transaction would wait behind the statement that never answered.
    if (broken !== undefined) throw toStoreError(broken)
    try {
      return await answerWithin(answerTimeoutMs, runQuery(client, text, parameters))
    } catch (error) {
      if (breaksConnection(error)) broken = error
      throw toStoreError(error)
    }
  }
  return {
    query: query as PostgresPoolClient['query'],
    release: (destroy) => client.release(destroy === true || broken !== undefined),
  }
}

/**
 * By a callback: the promise that `query` returns without one keeps every answer reachable from the one before, until the
 * collector goes through the whole heap.
 */
function runQuery(client: PoolClient, text: string, parameters: readonly unknown[]): Promise<QueryResult> {
  return new Promise((resolve, reject) =>
    client.query(text, [...parameters], (error, result) => (error ? reject(error) : resolve(result))),
  )
}

async function answerWithin<R>(timeoutMs: number, answer: Promise<R>): Promise<R> {
  if (timeoutMs === 0) return answer
  const { promise: expired, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => reject(new DatabaseUnavailableError(`no answer within ${timeoutMs} ms`, 'ETIMEDOUT')),
    timeoutMs,
  )
  try {
    return await Promise.race([answer, expired])
  } finally {
    clearTimeout(timer)
    // The late answer of a lost race must not become an unhandled rejection.
    answer.catch(() => undefined)
  }
}
