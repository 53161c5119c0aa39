/** Domains as requests name them: a host, which covers what is below it, and perhaps a path with one `*` in it. */

export interface Domain {
  /** As the address of a page has it: in lower case, without a port, other letters than ASCII encoded. */
  readonly host: string
  /** Begins with a slash; empty for the whole host. */
  readonly path: string
}

/** Undefined for what names no host. Models write addresses and `*.` although the form wants bare domains. */
export function readDomain(text: string): Domain | undefined {
  const [host = '', ...rest] = text
    .trim()
    .replace(/^https?:\/\//i, '')
    .replace(/^\*\./, '')
    .split('/')
  const address = `http://${host}`
  if (host === '' || !URL.canParse(address)) return undefined
  const path = rest.join('/')
  return { host: bareHost(new URL(address)), path: path === '' ? '' : `/${path}` }
}

export function readDomains(texts: readonly string[]): readonly Domain[] {
  return texts.flatMap((text) => readDomain(text) ?? [])
}

/** A name with a dot at its end is the same host, and must not lead around a blocked one. */
export function bareHost({ hostname }: URL): string {
  return hostname.replace(/\.$/, '')
}
