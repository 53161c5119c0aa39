/** What stands in place of one thing that is not there: on its way, out of reach for now, or no such thing and the way to all others. */
import { SearchX } from 'lucide-react'
import type { ReactNode } from 'react'
import { toApiError } from '../api/api-error.ts'
import { ButtonLink } from './button.tsx'
import { Page } from './layout.tsx'
import { Empty, Failure, Loading } from './states.tsx'

/** An id that is none (400) and one that nothing has (404) are the same to whoever followed a link. */
export function isUnknown(error: unknown): boolean {
  const { status } = toApiError(error)
  return status === 400 || status === 404
}

export function Unknown({
  word,
  children,
  action,
}: {
  /** What it would have been: "person". */
  readonly word: string
  readonly children?: ReactNode
  readonly action?: ReactNode
}) {
  return (
    <Empty icon={SearchX} title={`There is no such ${word}`} action={action}>
      {children ?? 'It may have been deleted, or the address is not complete.'}
    </Empty>
  )
}

/** A page of its own, with the list that it belongs to. */
export function AbsentPage({
  title,
  word,
  list,
  query,
}: {
  readonly title: string
  readonly word: string
  readonly list: { readonly to: string; readonly text: string }
  readonly query: { readonly error: unknown; readonly refetch: () => unknown }
}) {
  const { error, refetch } = query
  const back = <ButtonLink to={list.to}>{list.text}</ButtonLink>
  if (error === null)
    return (
      <Page title={title}>
        <Loading />
      </Page>
    )
  if (isUnknown(error))
    return (
      <Page title={title}>
        <Unknown word={word} action={back} />
      </Page>
    )
  return (
    <Page title={title} actions={back}>
      <Failure error={error} retry={() => void refetch()} />
    </Page>
  )
}
