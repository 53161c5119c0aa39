/**
 * Text that a proxy or load balancer sent in place of the hosted service, made fit for one line of the log. Clients
 * never get it: it may name hosts, addresses and mailboxes of the operator's network.
 */

const shownCharacters = 300
const readCharacters = 16_384

const secrets: readonly RegExp[] = [
  /\b((?:proxy-)?authorization|(?:set-)?cookie)(["']?\s*[:=]\s*)[^\r\n<]+/gi,
  /\b([\w-]*(?:pass(?:word|wd|phrase)?|pwd|secret|token|signature|credential|session(?:[-_]?id)?|api[-_]?key|access[-_]?key(?:[-_]?id)?))(["']?\s*[:=]\s*["']?)[^\s"'&<>,;]+/gi,
  /\b(basic|bearer|negotiate|ntlm)(\s+)[\w+/=.~-]{6,}/gi,
  /\b(A(?:KIA|SIA))()[A-Z0-9]{12,}\b/g,
]

export function cleanForeignText(text: string): string {
  let words = text
    .slice(0, readCharacters)
    .replace(/<(style|script)[^>]*>[\s\S]*?<\/\1>/gi, ' ')
    .replace(/<[^>]*>/g, ' ')
  for (const secret of secrets) words = words.replace(secret, '$1$2…')
  return words
    .replace(/[\s\p{C}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, shownCharacters)
}
