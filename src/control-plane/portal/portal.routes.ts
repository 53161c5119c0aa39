/** The portal's own files. They come from this gateway and from nowhere else, so that it works without the internet. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { apiRoute, type Route } from '../../http/route.ts'

const files = [
  { name: 'app.js', type: 'text/javascript; charset=utf-8' },
  { name: 'app.css', type: 'text/css; charset=utf-8' },
] as const

export function portalRoutes(): Route[] {
  return [
    apiRoute({
      method: 'GET',
      path: '/',
      access: 'open',
      tag: 'Portal',
      summary: 'Leads to the portal',
      answers: { 302: { text: 'To `/portal`' } },
      handle: () => ({ status: 302, headers: { location: '/portal' } }),
    }),
    ...files.map(({ name, type }) => {
      const body = readFileSync(new URL(`./assets/${name}`, import.meta.url), 'utf8')
      const etag = `"${createHash('sha256').update(body).digest('base64url')}"`
      const headers = { 'content-type': type, 'cache-control': 'no-cache', etag }
      return apiRoute({
        method: 'GET',
        path: `/portal/${name}`,
        access: 'open',
        tag: 'Portal',
        summary: `A file of the portal (${name})`,
        answers: { 200: { text: 'The file' }, 304: { text: 'As in `if-none-match`' } },
        handle: (call) =>
          call.headers['if-none-match'] === etag ? { status: 304, headers } : { status: 200, headers, body },
      })
    }),
  ]
}
