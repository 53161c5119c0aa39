/** Which pages a person may open, and which stand in their navigation. */
import { UsersRound } from 'lucide-react'
import type { Me } from '../api/session.ts'
import type { PageDefinition, PageGroup } from './page-definition.ts'
import { pageAt, pages } from './page-registry.ts'
import { type Grant, listGrants, type Rights } from './rights.ts'

const groupOrder: readonly PageGroup[] = ['You', 'Organization', 'Platform']

export interface NavGroup {
  readonly name: PageGroup
  readonly pages: readonly (PageDefinition & { readonly nav: NonNullable<PageDefinition['nav']> })[]
}

export function navigationFor(me: Me): NavGroup[] {
  const listed = pages.filter((page) => page.nav !== undefined && isAllowed(page, me)) as NavGroup['pages'][number][]
  const mine = [...listed, ...findOwnTeam(me)]
  return groupOrder
    .map((name) => ({
      name,
      pages: mine.filter(({ nav }) => nav.group === name).sort((a, b) => a.nav.order - b.nav.order),
    }))
    .filter((group) => group.pages.length > 0)
}

/** The one team that a lead is there for, as a page of its own in the list. */
export function findOwnTeam(me: Me): NavGroup['pages'] {
  const path = `/teams/${me.team?.id}`
  const page = pageAt(path)
  if (page === undefined || me.role === 'admin' || me.team === null || !listGrants(me).includes('team:lead')) return []
  return [{ ...page, path, title: 'My team', nav: { group: 'Organization', order: 5, icon: UsersRound } }]
}

/** Of the page as a whole; whether an address of it is theirs too, `mayOpen` says. */
export function isAllowed(page: PageDefinition, me: Me): boolean {
  if (page.access !== 'admin' || me.role === 'admin') return true
  const held = listGrants(me)
  return page.grants?.some((grant) => held.includes(grant) && (grant !== 'team:lead' || me.team !== null)) ?? false
}

/** An address of no page is anybody's: it says so itself. */
export function mayOpen(me: Me, pathname: string): boolean {
  const page = pageAt(pathname)
  if (page === undefined) return true
  return isAllowed(page, me) && (me.role === 'admin' || (page.isTheirs?.(me, pathname) ?? true))
}

export function findRights(me: Me): Rights {
  const isAdmin = me.role === 'admin'
  const may = (...grants: readonly Grant[]): boolean =>
    isAdmin || grants.some((grant) => listGrants(me).includes(grant))
  return {
    isAdmin,
    may,
    mayOpen: (pathname) => mayOpen(me, pathname),
    onlyTeam: (...wider) => (may(...wider) ? undefined : me.team?.name),
  }
}
