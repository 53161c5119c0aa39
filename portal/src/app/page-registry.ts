/** Every page of the portal. A page is a folder with a `*.page.ts` that describes it; being there is being registered. */
import { type LucideIcon, UsersRound } from 'lucide-react'
import type { FunctionComponent } from 'react'
import type { Me } from '../api/session.ts'
import { type LatePart, latePart } from './late-part.tsx'

export type PageGroup = 'You' | 'Organization' | 'Platform'

export interface PageDefinition {
  /** In the hash, with `$name` for parameters: `/keys/$id`. */
  readonly path: string
  /** In the browser's tab and the palette, in sentence case. */
  readonly title: string
  /** `open` pages are shown without a session and without navigation. */
  readonly access: 'open' | 'member' | 'admin'
  /** With `admin`: whoever has one of these may open it too, and sees there what the gateway shows them. */
  readonly grants?: readonly Me['grants'][number][]
  /** With `grants`: whether such a person may open just this address. */
  readonly isTheirs?: (me: Me, pathname: string) => boolean
  /** Absent: reachable, and not listed. */
  readonly nav?: {
    readonly group: PageGroup
    /** Position within the group. */
    readonly order: number
    readonly icon: LucideIcon
    readonly label?: string
    /** The list whose open entries are counted beside the label. */
    readonly waiting?: '/admin/budget-requests'
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

const found = import.meta.glob<{ page: PageDefinition }>(
  ['../modules/**/*.page.ts', '../extensions/**/*.page.ts', './*/*.page.ts'],
  { eager: true },
)

export const pages: readonly PageDefinition[] = Object.values(found).map(({ page }) => page)

const parts: ReadonlyMap<PageDefinition['load'], LatePart> = new Map(pages.map(({ load }) => [load, latePart(load)]))

export function partOf(page: PageDefinition): LatePart {
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

const groupOrder: readonly PageGroup[] = ['You', 'Organization', 'Platform']

export interface NavGroup {
  readonly name: PageGroup
  readonly pages: readonly (PageDefinition & { readonly nav: NonNullable<PageDefinition['nav']> })[]
}

export function navigationFor(me: Me): NavGroup[] {
  const listed = pages.filter((page) => page.nav !== undefined && isAllowed(page, me)) as NavGroup['pages'][number][]
  const mine = [...listed, ...ownTeamOf(me)]
  return groupOrder
    .map((name) => ({
      name,
      pages: mine.filter(({ nav }) => nav.group === name).sort((a, b) => a.nav.order - b.nav.order),
    }))
    .filter((group) => group.pages.length > 0)
}

/** An instance of the release before, which may still answer during an update, tells none. */
export function grantsOf({ grants }: Me): Me['grants'] {
  return grants ?? []
}

/** The one team that a lead is there for, as a page of its own in the list. */
export function ownTeamOf(me: Me): NavGroup['pages'] {
  const path = `/teams/${me.team?.id}`
  const page = pageAt(path)
  if (page === undefined || me.role === 'admin' || me.team === null || !grantsOf(me).includes('team:lead')) return []
  return [{ ...page, path, title: 'My team', nav: { group: 'Organization', order: 5, icon: UsersRound } }]
}

/** Of the page as a whole; whether an address of it is theirs too, `mayOpen` says. */
export function isAllowed(page: PageDefinition, me: Me): boolean {
  if (page.access !== 'admin' || me.role === 'admin') return true
  const held = grantsOf(me)
  return page.grants?.some((grant) => held.includes(grant) && (grant !== 'team:lead' || me.team !== null)) ?? false
}

/** An address of no page is anybody's: it says so itself. */
export function mayOpen(me: Me, pathname: string): boolean {
  const page = pageAt(pathname)
  if (page === undefined) return true
  return isAllowed(page, me) && (me.role === 'admin' || (page.isTheirs?.(me, pathname) ?? true))
}
