import { sqlPayloads } from '../../analytics/sql-payloads.ts'

const AT_ONCE = 6

/** Asks with every payload. One that reached the database as SQL would take longer than a statement may, which is an error. */
export async function tryPayloads(ask: (payload: string) => Promise<void>): Promise<void> {
  for (let start = 0; start < sqlPayloads.length; start += AT_ONCE)
    await Promise.all(sqlPayloads.slice(start, start + AT_ONCE).map(ask))
}
