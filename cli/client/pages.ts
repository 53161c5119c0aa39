/** Reads lists page by page. */
import type { Page, Row } from '../output/render.ts'
import type { Client, Query } from './http-client.ts'

const LARGEST_PAGE = 200

export async function* readPages(client: Client, path: string, query: Query, all: boolean): AsyncGenerator<Page> {
  let cursor: string | null | undefined
  do {
    const page: Page = await client.get(path, {
      ...query,
      ...(all ? { limit: LARGEST_PAGE } : {}),
      cursor: cursor ?? query['cursor'],
    })
    yield page
    cursor = all ? page.next_cursor : null
  } while (cursor !== null && cursor !== undefined)
}

export async function readAll(client: Client, path: string, query: Query = {}): Promise<readonly Row[]> {
  const rows: Row[] = []
  for await (const page of readPages(client, path, query, true)) rows.push(...page.data)
  return rows
}
