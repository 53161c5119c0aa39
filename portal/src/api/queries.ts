/** Reading and writing from components: cached reads by path, writes that say "saved" only after a 2xx. */
import {
  QueryClient,
  type QueryFilters,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { toast } from 'sonner'
import { type ApiError, toApiError } from './api-error.ts'
import { type Answer, api, type Init, type PathsWith } from './client.ts'

const isPassing = (error: unknown): boolean => {
  const { status } = toApiError(error)
  return status === 0 || status >= 500
}

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      networkMode: 'always',
      staleTime: 15_000,
      refetchOnWindowFocus: true,
      retry: (failures, error) => failures < 1 && isPassing(error),
    },
    // Asked at once, whatever the browser thinks of the network: a write that waits for it would be made when nobody expects it.
    mutations: { networkMode: 'always', retry: false },
  },
})

type GetInit<P extends PathsWith<'get'>> = Init<P, 'get'>

/** The cache key begins with the path, so that a write can refresh everything under it. */
export function getOptions<P extends PathsWith<'get'>>(path: P, init?: GetInit<P>) {
  return queryOptions<Answer<P, 'get'>, ApiError>({
    queryKey: [path, (init as { params?: unknown } | undefined)?.params ?? {}],
    queryFn: ({ signal }) => {
      const call = api.get as unknown as (p: P, i: object) => Promise<Answer<P, 'get'>>
      return call(path, { ...(init as object | undefined), signal })
    },
  })
}

export interface ReadOptions {
  readonly enabled?: boolean
  readonly refetchInterval?: number | false
  /** False: a component that appears does not ask again what has just been refused. */
  readonly retryOnMount?: boolean
  /** Asked whenever somebody comes back to this tab, however fresh the answer is. */
  readonly isAskedOnReturn?: boolean
  /** Asked whenever the page is opened, however fresh the answer is: what it tells of is changed on other pages. */
  readonly isAskedOnOpening?: boolean
  /** Keeps the last page on the screen while the next one comes. */
  readonly keepPrevious?: boolean
}

/** `useGet('/me/keys', { params: { query: { limit: 50 } } })` */
export function useGet<P extends PathsWith<'get'>>(path: P, init?: GetInit<P>, options: ReadOptions = {}) {
  const { keepPrevious, isAskedOnReturn, isAskedOnOpening, ...rest } = options
  return useQuery({
    ...getOptions(path, init),
    ...rest,
    ...(isAskedOnReturn === true ? { refetchOnWindowFocus: 'always' as const } : {}),
    ...(isAskedOnOpening === true ? { refetchOnMount: 'always' as const } : {}),
    ...(keepPrevious === true ? { placeholderData: (previous: Answer<P, 'get'> | undefined) => previous } : {}),
  })
}

export interface WriteOptions<Result> {
  /** Paths whose reads are asked again after success; a path covers every parameter of it. */
  readonly refreshes?: readonly string[]
  /** The list that something was deleted from, without the paths under it: the page of what is gone would answer 404. */
  readonly refreshesList?: PathsWith<'get'>
  /** Shown after a 2xx and never before. */
  readonly done?: string | ((result: Result) => string)
  /** For the component that asked: not called when it is gone by then, as a window that was closed meanwhile. */
  readonly onDone?: (result: Result) => void
  /** Forms show errors themselves, at the field; everything else gets a message that names the request. */
  readonly showsErrors?: boolean
  /** Several writes at once: a part may be done although the whole has failed, so reads are asked again then too. */
  readonly isPartial?: boolean
}

export function useWrite<Input, Result>(write: (input: Input) => Promise<Result>, options: WriteOptions<Result> = {}) {
  const cache = useQueryClient()
  const isShown = useIsShown()
  return useMutation<Result, ApiError, Input>({
    mutationFn: write,
    onSuccess: async (result) => {
      const { refreshes = [], refreshesList: list, done, onDone } = options
      if (done !== undefined) toast.success(typeof done === 'string' ? done : done(result))
      if (isShown.current) onDone?.(result)
      await Promise.all([
        ...refreshes.map((path) => refresh(cache, readsUnder(path))),
        ...(list === undefined ? [] : [refresh(cache, { queryKey: [list] })]),
      ])
    },
    onError: (error) => {
      if (options.showsErrors !== true) showError(error)
      if (options.isPartial === true) for (const path of options.refreshes ?? []) void refresh(cache, readsUnder(path))
    },
  })
}

/** A write goes on when what asked for it is closed; its end must not close or leave what somebody has opened since. */
export function useIsShown(): { readonly current: boolean } {
  const isShown = useRef(true)
  useEffect(() => {
    isShown.current = true
    return () => {
      isShown.current = false
    }
  }, [])
  return isShown
}

function readsUnder(path: string): QueryFilters {
  return { predicate: ({ queryKey }) => String(queryKey[0]).startsWith(path) }
}

async function refresh(cache: QueryClient, reads: QueryFilters): Promise<void> {
  // A first answer that is on its way may be of before the write, and asking again would only wait for it.
  await cache.cancelQueries(reads)
  await cache.invalidateQueries(reads)
}

/** Stays until it is closed: whoever looked elsewhere would take the silence for success, and the id of the request is for copying. */
export function showError(error: unknown): void {
  const { message, requestId } = toApiError(error)
  toast.error(message, {
    duration: Number.POSITIVE_INFINITY,
    ...(requestId === undefined ? {} : { description: `Request ${requestId}` }),
  })
}
