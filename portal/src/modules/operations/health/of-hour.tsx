/** A figure of the last hour, the place of one that is asked for, or that nobody knows it. */
import type { ReactNode } from 'react'
import { Wait } from '../../../ui/states.tsx'
import { Nothing } from '../../../ui/values.tsx'
import type { findHour, HourSums } from './last-hour.ts'

export function OfHour({
  sums,
  unknown = <Nothing word="not known" />,
  children,
}: {
  readonly sums: ReturnType<typeof findHour>
  readonly unknown?: ReactNode
  readonly children: (sums: HourSums) => ReactNode
}) {
  if (sums === 'asked') return <Wait width="w-12" />
  return sums === 'unknown' ? unknown : children(sums)
}
