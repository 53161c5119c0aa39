/** Pages of the gateway itself: one shell for everything that a script fills, and plain pages for when a sign-in fails. */
import type { Answer } from '../http/route.ts'

/** Nothing from elsewhere, nothing inline: what somebody manages to write into a page does not run. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

const headers = { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy } as const

const head = (title: string): string =>
  `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="stylesheet" href="/portal/app.css">`

export function shellPage(): Answer {
  const body = `${head('Causeway')}
<script src="/portal/app.js" defer></script>
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header class="top"><a class="brand" href="/portal">Causeway</a><div id="account"></div></header>
<main id="main" tabindex="-1"><p class="quiet">Loading…</p><noscript><p>This page needs JavaScript.</p></noscript></main>
<p id="status" class="visually-hidden" role="status" aria-live="polite"></p>
</body>
</html>
`
  return { status: 200, headers, body }
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
  const body = `${head(notice.title)}
</head>
<body>
<header class="top"><a class="brand" href="/portal">Causeway</a></header>
<main id="main"><section class="card narrow"><h1>${escapeHtml(notice.title)}</h1>
<p role="alert">${escapeHtml(notice.text)}</p>
<p><a class="button primary" href="${escapeHtml(notice.next.href)}">${escapeHtml(notice.next.label)}</a></p>
<p class="quiet">If you ask an administrator, name this request: <code>${escapeHtml(notice.requestId)}</code></p>
</section></main>
</body>
</html>
`
  return { status: notice.status, headers, body }
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`)
}
