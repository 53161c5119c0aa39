/** The list of pages: at the side where there is room, behind a button where there is not. */
import { Link, useLocation } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { Menu as MenuIcon, Search } from 'lucide-react'
import type { Me } from '../api/session.ts'
import { IconButton } from '../ui/button.tsx'
import { Logo } from '../ui/logo.tsx'
import { Account } from './account.tsx'
import { navigationFor } from './allowed-pages.ts'
import type { PageDefinition } from './page-definition.ts'
import { findPart } from './page-registry.ts'
import { WaitingCount } from './waiting-count.tsx'

interface NavigationProps {
  readonly me: Me
  readonly onSearch: () => void
}

export function Sidebar({ me, onSearch }: NavigationProps) {
  return (
    <header className="sticky top-0 hidden h-dvh w-56 shrink-0 flex-col border-r border-line bg-surface md:flex print:hidden">
      <Brand />
      <SearchButton onSearch={onSearch} />
      <PageList me={me} onChoose={() => {}} />
      <Account me={me} onChoose={() => {}} />
    </header>
  )
}

export function MobileBar({ onSearch, onOpen }: { readonly onSearch: () => void; readonly onOpen: () => void }) {
  return (
    <header className="sticky top-0 z-30 flex items-center justify-between border-b border-line bg-surface px-2 py-1.5 md:hidden print:hidden">
      <div className="flex items-center gap-1">
        <IconButton icon={MenuIcon} label="Open the list of pages" onClick={onOpen} />
        <Brand isSmall />
      </div>
      <IconButton icon={Search} label="Search (Ctrl K)" onClick={onSearch} />
    </header>
  )
}

export function Brand({ isSmall = false }: { readonly isSmall?: boolean }) {
  return (
    <Link
      to="/"
      className={clsx('flex items-center gap-2 rounded-6 font-semibold', isSmall ? 'px-1 py-1' : 'm-2 px-2 py-2')}
    >
      <Logo size={20} />
      Causeway
    </Link>
  )
}

function SearchButton({ onSearch }: { readonly onSearch: () => void }) {
  return (
    <button
      type="button"
      onClick={onSearch}
      aria-keyshortcuts="Control+K"
      className="mx-3 mb-2 flex min-h-8 items-center gap-2 rounded-6 border border-line bg-bg px-2 text-13 text-text-3 hover:border-control hover:text-text-2"
    >
      <Search className="size-4" aria-hidden />
      <span className="flex-1 text-left">Search</span>
      <kbd className="rounded-6 border border-line px-1 font-sans text-11">Ctrl K</kbd>
    </button>
  )
}

export function PageList({ me, onChoose }: { readonly me: Me; readonly onChoose: () => void }) {
  const { pathname } = useLocation()
  return (
    <nav aria-label="Pages" className="min-h-0 flex-1 overflow-y-auto px-3 pb-3">
      {navigationFor(me).map((group) => (
        <div key={group.name} className="mt-3 first:mt-1">
          <h2 className="px-2 pb-1 text-11 font-medium tracking-wide text-text-3 uppercase">{group.name}</h2>
          <ul>
            {group.pages.map((page) => (
              <li key={page.path}>
                <PageLink page={page} isCurrent={isUnder(page.path, pathname)} onChoose={onChoose} />
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  )
}

/** A plain link: the router's own costs a slow machine more than all the rest of this list. */
function PageLink({
  page,
  isCurrent,
  onChoose,
}: {
  readonly page: PageDefinition
  readonly isCurrent: boolean
  readonly onChoose: () => void
}) {
  const Icon = page.nav?.icon
  return (
    <a
      href={`#${page.path}`}
      onClick={onChoose}
      onMouseEnter={() => void findPart(page).load()}
      aria-current={isCurrent ? 'page' : undefined}
      className={clsx(
        'flex min-h-8 items-center gap-2.5 rounded-6 px-2',
        isCurrent ? 'bg-accent-soft font-medium text-accent' : 'text-text-2 hover:bg-sunken hover:text-text-1',
      )}
    >
      {Icon !== undefined && <Icon className="size-4 shrink-0" aria-hidden />}
      {page.nav?.label ?? page.title}
      {page.nav?.waiting !== undefined && <WaitingCount list={page.nav.waiting} />}
    </a>
  )
}

/** A page about one thing belongs to the list it came from. */
function isUnder(path: string, pathname: string): boolean {
  return path === pathname || (path !== '/' && pathname.startsWith(`${path}/`))
}
