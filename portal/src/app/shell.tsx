/** Around every page: who is signed in decides whether one sees navigation and page, the sign-in, or a bare question. */
import { Outlet, useLocation } from '@tanstack/react-router'
import { type ReactNode, Suspense, useEffect, useMemo, useRef, useState } from 'react'
import { type Me, type SessionState, useSession } from '../api/session.ts'
import { page as signInPage } from '../modules/sign-in/sign-in.page.ts'
import { ButtonLink } from '../ui/button.tsx'
import { lateWindow } from '../ui/late-window.tsx'
import { Page } from '../ui/layout.tsx'
import { Empty, Failure, Loading } from '../ui/states.tsx'
import { findRights, mayOpen } from './allowed-pages.ts'
import { MobileBar, Sidebar } from './navigation.tsx'
import type { PageDefinition } from './page-definition.ts'
import { findPart, pageAt } from './page-registry.ts'
import { RightsContext } from './rights.ts'
import { useSessionEnding } from './session-ending.ts'
import { useShortcuts } from './shortcuts.ts'

const { Part: SignIn } = findPart(signInPage)
const SessionEnded = lateWindow(async () => (await import('../modules/sign-in/session-ended.tsx')).SessionEnded)
const MobileList = lateWindow(async () => (await import('./mobile-list.tsx')).MobileList, close)
const Palette = lateWindow(async () => (await import('./palette.tsx')).Palette, close)
const ShortcutList = lateWindow(async () => (await import('./shortcut-list.tsx')).ShortcutList, close)

function close({ onClose }: { readonly onClose: () => void }): void {
  onClose()
}

export function Shell() {
  const session = useSession()
  const { pathname } = useLocation()
  const page = pageAt(pathname)
  if (session.kind === 'loading') return <Waiting />
  if (session.kind === 'failed')
    return (
      <Bare>
        <Failure error={session.error} title="The gateway does not answer" retry={session.retry} />
      </Bare>
    )
  if (session.kind === 'signed-out')
    return page?.access === 'open' ? (
      <Bare>
        <Outlet />
      </Bare>
    ) : (
      <Bare>
        <SignIn />
      </Bare>
    )
  return <SignedIn session={session} page={page} pathname={pathname} />
}

function SignedIn({
  session,
  page,
  pathname,
}: {
  readonly session: Extract<SessionState, { kind: 'signed-in' }>
  readonly page: PageDefinition | undefined
  readonly pathname: string
}) {
  const [open, setOpen] = useState<'none' | 'palette' | 'shortcuts' | 'pages'>('none')
  const { me } = session
  const rights = useMemo(() => findRights(me), [me])
  useShortcuts(me, { openPalette: () => setOpen('palette'), openList: () => setOpen('shortcuts') })
  // What lies over a page belongs to it: by "back" or a link from elsewhere another page may come under it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the page is what it follows.
  useEffect(() => setOpen('none'), [pathname])
  const main = useFocusOnNewPage(pathname)
  const ending = useSessionEnding(me.session_expires_in)
  const isSomebodyElse = useReloadForSomebodyElse(me)
  const content = <Suspense fallback={<PageWaiting />}>{mayOpen(me, pathname) ? <Outlet /> : <NotForYou />}</Suspense>
  const windows = (
    <>
      {(session.hasEnded || ending.isNear) && <SessionEnded hasEnded={session.hasEnded} onDecline={ending.decline} />}
      {open === 'palette' && <Palette me={me} onClose={() => setOpen('none')} />}
      {open === 'pages' && <MobileList me={me} onClose={() => setOpen('none')} />}
      {open === 'shortcuts' && <ShortcutList me={me} onClose={() => setOpen('none')} />}
    </>
  )
  if (isSomebodyElse) return <Waiting />
  if (page?.frame === 'bare' || page?.access === 'open')
    return (
      <RightsContext value={rights}>
        <Bare>
          {content}
          {windows}
        </Bare>
      </RightsContext>
    )
  return (
    <RightsContext value={rights}>
      <SkipLink main={main} />
      <Frame me={me} onSearch={() => setOpen('palette')} onOpen={() => setOpen('pages')}>
        <main ref={main} tabIndex={-1} className="min-w-0 flex-1">
          {content}
        </main>
      </Frame>
      {windows}
    </RightsContext>
  )
}

/** Who has signed in elsewhere in this browser must not see what the first person had on the screen, nor go on with what they typed. */
function useReloadForSomebodyElse(me: Me): boolean {
  const first = useRef(me.user?.id)
  const isSomebodyElse = first.current !== me.user?.id
  useEffect(() => {
    if (isSomebodyElse) location.reload()
  }, [isSomebodyElse])
  return isSomebodyElse
}

function Frame({
  me,
  onSearch,
  onOpen,
  children,
}: {
  readonly me: Me
  readonly onSearch: () => void
  readonly onOpen: () => void
  readonly children: ReactNode
}) {
  return (
    <div className="flex min-h-dvh flex-col md:flex-row">
      <MobileBar onSearch={onSearch} onOpen={onOpen} />
      <Sidebar me={me} onSearch={onSearch} />
      {children}
    </div>
  )
}

/** The address stays as it is: a link to the content must not become the hash, which is the page's address. */
function SkipLink({ main }: { readonly main: React.RefObject<HTMLElement | null> }) {
  return (
    <button
      type="button"
      onClick={() => main.current?.focus()}
      className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50 focus:rounded-6 focus:bg-accent focus:px-3 focus:py-1.5 focus:text-on-accent"
    >
      Skip to content
    </button>
  )
}

/** After a change of page the keyboard begins at its content; the first page leaves it where the browser has it. */
function useFocusOnNewPage(pathname: string): React.RefObject<HTMLElement | null> {
  const main = useRef<HTMLElement>(null)
  const shown = useRef(pathname)
  useEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    window.scrollTo(0, 0)
    main.current?.focus({ preventScroll: true })
  }, [pathname])
  return main
}

function Bare({ children }: { readonly children: ReactNode }) {
  return (
    <main className="flex min-h-dvh flex-col items-center px-4 py-10 sm:justify-center">
      <Suspense fallback={<Loading />}>
        <div className="w-full max-w-md">{children}</div>
      </Suspense>
    </main>
  )
}

function Waiting() {
  return (
    <Bare>
      <Loading label="Loading the portal" />
    </Bare>
  )
}

function PageWaiting() {
  return (
    <div className="px-4 py-6 sm:px-6 lg:px-8">
      <Loading rows={8} />
    </div>
  )
}

function NotForYou() {
  return (
    <Page title="For administrators">
      <Empty title="Your account may not open this page" action={<ButtonLink to="/">Go to Home</ButtonLink>}>
        Ask an administrator to show it to you, or to give you the role or a grant for it.
      </Empty>
    </Page>
  )
}
