/** Every page of the portal, of modules and of extensions, and what extensions place on the pages of others. */
import type { FunctionComponent } from 'react'
import { corePages } from './core-pages.ts'
import * as extensionList from './extensions.ts'
import { type LatePart, latePart } from './late-part.tsx'
import type { PageDefinition } from './page-definition.ts'
import type { PortalExtension } from './portal-extension.ts'
import type { Filling } from './slot.tsx'

const extensions: readonly PortalExtension[] = Object.values(extensionList)

export const pages: readonly PageDefinition[] = [...corePages, ...extensions.flatMap(({ pages = [] }) => pages)]

export const fillings: readonly Filling[] = extensions.flatMap(({ fillings = [] }) => fillings)

const parts: ReadonlyMap<PageDefinition['load'], LatePart> = new Map(
  pages.map((page) => [page.load, latePart(() => loadPage(page))]),
)

/** The parts of extensions that stand on a page come with it, so that nothing moves when they appear. */
async function loadPage({ load, slots = [] }: PageDefinition): Promise<FunctionComponent> {
  const placed = fillings.filter(({ slot }) => slots.includes(slot))
  // A part that cannot be loaded is tried again where it is shown, and does not keep the page away.
  const [Page] = await Promise.all([load(), ...placed.map((filling) => filling.load().catch(() => undefined))])
  return Page
}

export function findPart(page: PageDefinition): LatePart {
  const part = parts.get(page.load)
  if (part === undefined) throw new Error(`${page.path} is not registered`)
  return part
}

export function pageAt(pathname: string): PageDefinition | undefined {
  return pages.find(({ path }) => {
    const pattern = path.replace(/\/$/, '').replace(/\$\w+/g, '[^/]+')
    return new RegExp(`^${pattern}/?$`).test(pathname)
  })
}
