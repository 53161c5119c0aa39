/** Starts the portal in the page. */
import './theme.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { getOptions, queryClient } from '../api/queries.ts'
import { settleAddress } from './address.ts'
import { watchKeyboard } from './keyboard-place.ts'
import { fillings, findPart, pageAt } from './page-registry.ts'
import { router } from './router.tsx'
import { FillingsContext } from './slot.tsx'
import { Toasts } from './toasts.tsx'

// From here on errors say where they come from; boot.js says why they did not before.
Error.stackTraceLimit = 10
settleAddress()
watchKeyboard()

const FIRST_PARTS_MS = 300

/**
 * Who it is, and the code of the page in the address: with both at hand the first picture is the whole page. The router
 * itself is not loaded ahead: it listens from its first picture on, and would miss an address that changes until then.
 */
async function loadFirstParts(): Promise<void> {
  const [me] = await Promise.all([
    queryClient.fetchQuery(getOptions('/auth/me')).catch(() => undefined),
    loadPart(router.history.location.pathname),
  ])
  if (me === undefined) await loadPart('/login')
}

async function loadPart(pathname: string): Promise<void> {
  const page = pageAt(pathname)
  // What fails here is tried again, and told, when the page is shown.
  if (page !== undefined)
    await findPart(page)
      .load()
      .catch(() => undefined)
}

async function start(): Promise<void> {
  // On a slow line the frame of the page is better than nothing.
  await Promise.race([loadFirstParts(), new Promise((resolve) => setTimeout(resolve, FIRST_PARTS_MS))])
  const root = document.getElementById('root')
  if (root === null) return
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <FillingsContext value={fillings}>
          <RouterProvider router={router} />
        </FillingsContext>
        <Toasts />
      </QueryClientProvider>
    </StrictMode>,
  )
}

void start()
