/** One route for each registered page, behind the hash. Search parameters are plain strings, as people write them. */
import { createHashHistory, createRootRoute, createRoute, createRouter, useLocation } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useMe } from '../api/session.ts'
import { ButtonLink } from '../ui/button.tsx'
import { Page } from '../ui/layout.tsx'
import { Empty, Failure } from '../ui/states.tsx'
import { isAllowed } from './allowed-pages.ts'
import { findPart, pageAt, pages } from './page-registry.ts'
import { Shell } from './shell.tsx'

const rootRoute = createRootRoute({ component: Shell, notFoundComponent: NotFound, errorComponent: PageFailed })

const routes = pages.map((page) =>
  createRoute({
    getParentRoute: () => rootRoute,
    path: page.path,
    component: findPart(page).Part,
    errorComponent: PageFailed,
  }),
)

/** The list is offered to whoever looked for one thing of it under an address that there is not, such as that of a key. */
function NotFound() {
  const me = useMe()
  const list = pageAt(useLocation().pathname.replace(/(?<=[^/])\/.*/, ''))
  return (
    <Page title="There is no such page">
      <Empty
        title="This address leads nowhere"
        action={
          <div className="flex flex-wrap justify-center gap-2">
            {list?.nav !== undefined && isAllowed(list, me) && (
              <ButtonLink to={list.path}>Go to {list.title}</ButtonLink>
            )}
            <ButtonLink to="/">Go to Home</ButtonLink>
          </div>
        }
      >
        It may be from another version of the portal. The search (Ctrl K) knows every page.
      </Empty>
    </Page>
  )
}

/** Also when a chunk is gone because the gateway was updated: a reload brings the new one. */
function PageFailed({ error }: { readonly error: unknown }) {
  const { pathname } = useLocation()
  useEffect(() => {
    const page = pageAt(pathname)
    if (page !== undefined) findPart(page).tryAgain()
  }, [pathname])
  return (
    <Page title="This page failed">
      <Failure error={error} title="Something in this page broke" retry={() => location.reload()} />
    </Page>
  )
}

export const router = createRouter({
  routeTree: rootRoute.addChildren(routes),
  history: createHashHistory(),
  parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
  stringifySearch: (search) => {
    const text = new URLSearchParams(search as Record<string, string>).toString()
    return text === '' ? '' : `?${text}`
  },
  defaultPendingMs: 200,
  notFoundMode: 'root',
})
