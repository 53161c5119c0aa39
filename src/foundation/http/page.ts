/** Pages of the gateway itself: one shell for everything that a script fills, and plain pages for when a sign-in fails. */
import { randomBytes } from 'node:crypto'
import type { FindPortalFiles } from './portal-files.ts'
import type { Answer } from './route.ts'

/** Nothing from elsewhere, nothing inline: what somebody manages to write into a page does not run. */
function headersWith(styleSources: string): Readonly<Record<string, string>> {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    `style-src ${styleSources}`,
    "connect-src 'self'",
    "img-src 'self'",
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
  return { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy }
}

const plainHeaders = headersWith("'self'")

/** The portal. The nonce lets its dialogs lock the page's scrolling with a style of their own. */
export function shellPage(findPortalFiles: FindPortalFiles): Answer {
  const files = findPortalFiles()
  if (files === undefined) return notBuiltPage()
  const nonce = randomBytes(18).toString('base64url')
  return {
    status: 200,
    headers: headersWith(`'self' 'nonce-${nonce}'`),
    body: files.shell.replaceAll('__CSP_NONCE__', nonce),
  }
}

function notBuiltPage(): Answer {
  const text = 'Its files are missing. Run "npm run build:portal" in the folder of the gateway, then reload this page.'
  return {
    status: 503,
    headers: plainHeaders,
    body: plainPage('The portal is not built', `<h1>The portal is not built</h1>\n<p>${text}</p>`),
  }
}

function plainPage(title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="stylesheet" href="/portal/notice.css">
</head>
<body>
<header class="top"><a class="brand" href="/portal">Causeway</a></header>
<main id="main"><section class="card narrow">${content}
</section></main>
</body>
</html>
`
}

export interface Notice {
  readonly status: number
  readonly title: string
  readonly text: string
  /** What to do next, and where. */
  readonly next: { readonly label: string; readonly href: string }
  readonly requestId: string
}

/** For people whose sign-in did not work: what happened and what to do. */
export function noticePage(notice: Notice): Answer {
  const content = `<h1>${escapeHtml(notice.title)}</h1>
<p role="alert">${escapeHtml(notice.text)}</p>
<p><a class="button primary" href="${escapeHtml(notice.next.href)}">${escapeHtml(notice.next.label)}</a></p>
<p class="quiet">If you ask an administrator, name this request: <code>${escapeHtml(notice.requestId)}</code></p>`
  return { status: notice.status, headers: plainHeaders, body: plainPage(notice.title, content) }
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`)
}
