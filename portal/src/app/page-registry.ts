/** Every page of the portal. A page is a folder with a `*.page.ts` that describes it; being there is being registered. */
import type { LucideIcon } from 'lucide-react'
import type { FunctionComponent } from 'react'
import { type LatePart, latePart } from './late-part.tsx'

export type PageGroup = 'You' | 'Organization' | 'Platform'

export interface PageDefinition {
  /** In the hash, with `$name` for parameters: `/keys/$id`. */
  readonly path: string
  /** In the browser's tab and the palette, in sentence case. */
  readonly title: string
  /** `open` pages are shown without a session and without navigation. */
  readonly access: 'open' | 'member' | 'admin'
  /** Absent: reachable, and not listed. */
  readonly nav?: {
    readonly group: PageGroup
    /** Position within the group. */
    readonly order: number
    readonly icon: LucideIcon
    readonly label?: string
  }
  /** `bare` pages have no navigation: one question, one answer. */
  readonly frame?: 'bare'
  /** The letter after `g` that leads here. */
  readonly shortcut?: string
  /** More words by which the palette finds it. */
  readonly keywords?: readonly string[]
  /** Loaded when the page is first opened: a chunk of its own. */
  readonly load: () => Promise<FunctionComponent>
}

const found = import.meta.glob<{ page: PageDefinition }>('../pages/*/*.page.ts', { eager: true })

export const pages: readonly PageDefinition[] = Object.values(found).map(({ page }) => page)

const parts: ReadonlyMap<PageDefinition, LatePart> = new Map(pages.map((page) => [page, latePart(page.load)]))

export function partOf(page: PageDefinition): LatePart {
  const part = parts.get(page)
  if (part === undefined) throw new Error(`${page.path} is not registered`)
  return part
}

export function pageAt(pathname: string): PageDefinition | undefined {
  return pages.find(({ path }) => {
    const pattern = path.replace(/\/$/, '').replace(/\$\w+/g, '[^/]+')
    return new RegExp(`^${pattern}/?$`).test(pathname)
  })
}

const groupOrder: readonly PageGroup[] = ['You', 'Organization', 'Platform']

export interface NavGroup {
  readonly name: PageGroup
  readonly pages: readonly (PageDefinition & { readonly nav: NonNullable<PageDefinition['nav']> })[]
}

export function navigationFor(role: 'member' | 'admin'): NavGroup[] {
  const mine = pages.filter((page) => page.nav !== undefined && isAllowed(page, role)) as NavGroup['pages'][number][]
  return groupOrder
    .map((name) => ({
      name,
      pages: mine.filter(({ nav }) => nav.group === name).sort((a, b) => a.nav.order - b.nav.order),
    }))
    .filter((group) => group.pages.length > 0)
}

export function isAllowed(page: PageDefinition, role: 'member' | 'admin'): boolean {
  return page.access !== 'admin' || role === 'admin'
}
