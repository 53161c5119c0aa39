/** Settings of clients as they are recorded and shown in passing: without what opens something else. */

/** Variables of the environment by whose names a secret is to be expected, such as `ANTHROPIC_AUTH_TOKEN`. */
const secretNames = /(TOKEN|KEY|SECRET|PASSWORD|HEADERS)$/i

export function shownSettings(document: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { env } = document
  if (typeof env !== 'object' || env === null || Array.isArray(env)) return document
  const shown = Object.entries(env).map(([name, value]) => [name, secretNames.test(name) ? '…' : value])
  return { ...document, env: Object.fromEntries(shown) }
}
