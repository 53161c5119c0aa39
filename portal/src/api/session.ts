/** Who is signed in here. Everything that depends on the person's role reads it from this place. */
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { toApiError } from './api-error.ts'
import { type Answer, api, rememberCsrfToken, whenProofIsOld, whenSignedOut } from './client.ts'
import { getOptions, queryClient, useGet } from './queries.ts'

export type Me = Answer<'/auth/me', 'get'>

export type SessionState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'signed-out' }
  | { readonly kind: 'failed'; readonly error: unknown; readonly retry: () => void }
  /** `hasEnded`: the page stays, with what was typed in it, until somebody signs in again. */
  | { readonly kind: 'signed-in'; readonly me: Me; readonly hasEnded: boolean }

export function useSession(): SessionState {
  const query = useGet('/auth/me', undefined, { retryOnMount: false, isAskedOnReturn: true })
  useEffect(() => {
    whenSignedOut(() => void queryClient.invalidateQueries({ queryKey: ['/auth/me'] }))
    whenProofIsOld(renewProof)
  }, [])
  const isRefused = query.error !== null && toApiError(query.error).status === 401
  if (query.data !== undefined) {
    rememberCsrfToken(query.data.csrf_token ?? '')
    return { kind: 'signed-in', me: query.data, hasEnded: isRefused }
  }
  if (isRefused) return { kind: 'signed-out' }
  if (query.error !== null) return { kind: 'failed', error: query.error, retry: () => void query.refetch() }
  return { kind: 'loading' }
}

/** What somebody else typed into this page is not written in the name of whoever has signed in elsewhere meanwhile. */
async function renewProof(): Promise<boolean> {
  const options = getOptions('/auth/me')
  const before = queryClient.getQueryData(options.queryKey)
  try {
    const me = await queryClient.fetchQuery({ ...options, staleTime: 0 })
    rememberCsrfToken(me.csrf_token ?? '')
    return me.user?.id === before?.user?.id
  } catch {
    return false
  }
}

/** For pages, which are only shown to somebody who is signed in. */
export function useMe(): Me {
  const session = useSession()
  if (session.kind !== 'signed-in') throw new Error('This page is shown without a session.')
  return session.me
}

export function useSignOut(): () => Promise<void> {
  const cache = useQueryClient()
  return async () => {
    const answer = await api.post('/auth/logout').catch((error: unknown) => {
      // A session that has ended by itself is what was wanted.
      if (toApiError(error).status !== 401) throw error
    })
    cache.clear()
    await cache.invalidateQueries({ queryKey: ['/auth/me'] })
    // A full load: nothing that the last person saw stays in memory.
    location.replace(answer?.provider_logout_url ?? '/portal')
  }
}
