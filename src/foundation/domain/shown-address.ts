/** Whoever knows the whole address of a webhook may post there: a secret stands in its path or its query. */

const THE_REST = '/…'

/** Where an address leads, and a mark for the rest of it: all that is logged, recorded and shown. An ARN holds no secret. */
export function shownAddress(address: string): string {
  if (!/^https?:/i.test(address) || !URL.canParse(address)) return address
  const { origin, href } = new URL(address)
  return href === `${origin}/` ? address : `${origin}${THE_REST}`
}

/** Such a text leads nowhere: it is good for comparing, and not for calling. */
export function isShownAddress(text: string): boolean {
  return text.endsWith(THE_REST) && shownAddress(text) === text
}
