/**
 * The portal's own files. They come from this gateway and from nowhere else, so that it works without the internet.
 * A few lines: the files are few, compressed when they are built, and named by their content.
 */
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { problem } from '../domain/errors.ts'
import { defined } from '../platform/defined.ts'
import { projectFile } from '../platform/project-file.ts'
import type { FindPortalFiles, PortalFile } from './portal-files.ts'
import { type Answer, apiRoute, type Route } from './route.ts'

/** The name of every file carries the hash of its content, so a copy never goes stale. */
const FOREVER = 'public, max-age=31536000, immutable'

export function portalRoutes(findPortalFiles: FindPortalFiles): Route[] {
  return [
    toPortal('/'),
    // Typed or copied so. A browser keeps what follows `#`, which says the page.
    toPortal('/portal/'),
    apiRoute({
      method: 'GET',
      path: '/portal/assets/{file}',
      access: 'open',
      tag: 'Portal',
      summary: 'A file of the portal',
      params: z.object({ file: z.string().max(200) }),
      answers: { 200: { text: 'The file' }, 404: { text: 'No such file' } },
      handle: ({ params, headers }) => {
        const file = findPortalFiles()?.assets.get(params.file)
        if (file === undefined) throw problem('not_found', { what: 'file' })
        return fileAnswer(file, headers['accept-encoding'])
      },
    }),
    noticeStyle(),
  ]
}

function toPortal(path: string): Route {
  return apiRoute({
    method: 'GET',
    path,
    access: 'open',
    tag: 'Portal',
    summary: 'Leads to the portal',
    answers: { 302: { text: 'To `/portal`' } },
    handle: () => ({ status: 302, headers: { location: '/portal' } }),
  })
}

/** The style of the pages that tell of a failed sign-in: from the sources, so that they need no built portal. */
function noticeStyle(): Route {
  const body = readFileSync(projectFile('src/foundation/http/notice.css'), 'utf8')
  return apiRoute({
    method: 'GET',
    path: '/portal/notice.css',
    access: 'open',
    tag: 'Portal',
    summary: 'The style of the pages about a failed sign-in',
    answers: { 200: { text: 'The file' } },
    handle: () => ({ status: 200, headers: { 'content-type': 'text/css; charset=utf-8' }, body }),
  })
}

function fileAnswer({ type, body, compressed }: PortalFile, accepted: string | string[] | undefined): Answer {
  const encoding = acceptedEncodings(String(accepted ?? '')).find((name) => compressed[name] !== undefined)
  return {
    status: 200,
    headers: {
      'content-type': type,
      'cache-control': FOREVER,
      vary: 'accept-encoding',
      ...defined({ 'content-encoding': encoding }),
    },
    body: encoding === undefined ? body : compressed[encoding],
  }
}

function acceptedEncodings(header: string): ('br' | 'gzip')[] {
  const offered = header.split(',').map((part) => part.trim().toLowerCase())
  return (['br', 'gzip'] as const).filter((name) =>
    offered.some((part) => part === name || (part.startsWith(`${name};`) && !/;\s*q=0(\.0*)?$/.test(part))),
  )
}
