import { createHmac } from 'node:crypto'

const PREFIX = 'EsimSIG'

/** Bound to the text, so that a gateway that alters a thinking block on its way is found out at the next turn. */
export function signThinking(thinking: string): string {
  return `${PREFIX}${createHmac('sha512', 'simulator').update(thinking).digest('base64')}`
}

export function isOwnSignature(signature: string): boolean {
  return signature.startsWith(PREFIX)
}
