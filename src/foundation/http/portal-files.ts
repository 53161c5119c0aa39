/** The built portal: the files that `npm run build:portal` made, read once and kept. */
import { readdirSync, readFileSync } from 'node:fs'
import { projectFile } from '../platform/project-file.ts'

const folder = projectFile('portal/dist/')

export interface PortalFile {
  readonly type: string
  readonly body: Buffer
  /** Made at build time: compressing on request would cost more than it saves. */
  readonly compressed: Readonly<Partial<Record<'br' | 'gzip', Buffer>>>
}

export interface PortalFiles {
  /** The page, with `__CSP_NONCE__` where the nonce of each answer goes. */
  readonly shell: string
  readonly assets: ReadonlyMap<string, PortalFile>
}

const types: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  woff2: 'font/woff2',
  svg: 'image/svg+xml',
  json: 'application/json; charset=utf-8',
}

/** Undefined while the portal is not built; looked for again by the next call, so that a build needs no restart. */
export type FindPortalFiles = () => PortalFiles | undefined

/** One for the process: pages and assets must come from the same build. */
export function createPortalFiles(): FindPortalFiles {
  let kept: PortalFiles | undefined
  return () => (kept ??= readPortalFiles())
}

function readPortalFiles(): PortalFiles | undefined {
  try {
    const names = readdirSync(new URL('assets/', folder))
    const assets = new Map<string, PortalFile>()
    for (const name of names) {
      const type = types[name.split('.').at(-1) ?? '']
      if (type !== undefined) assets.set(name, readAsset(name, type, names))
    }
    return { shell: readFileSync(new URL('index.html', folder), 'utf8'), assets }
  } catch (error) {
    // failure-modes: portal not built
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

function readAsset(name: string, type: string, names: readonly string[]): PortalFile {
  const read = (file: string): Buffer => readFileSync(new URL(`assets/${file}`, folder))
  return {
    type,
    body: read(name),
    compressed: {
      ...(names.includes(`${name}.br`) ? { br: read(`${name}.br`) } : {}),
      ...(names.includes(`${name}.gz`) ? { gzip: read(`${name}.gz`) } : {}),
    },
  }
}
