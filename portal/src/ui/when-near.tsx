/**
 * For parts far below: what they show is asked for when they come near the screen, or when it has rested for a while, as for
 * somebody who prints the page. Whoever goes from choice to choice at the top has it sooner, and the database has less to do.
 */
import { clsx } from 'clsx'
import { type ReactNode, type RefCallback, useCallback, useEffect, useState } from 'react'
import { Loading } from './states.tsx'

const REST_MS = 1_000
/** About what a turn of the wheel moves: it is there when it is seen. */
const NEAR = '300px'

export function WhenNear<T>({
  wanted,
  children,
}: {
  /** What the parts are asked by, such as a filter. */
  readonly wanted: T
  readonly children: (asked: T) => ReactNode
}) {
  const [ref, isNear] = useIsNear()
  const [rested, setRested] = useState<T>()
  useEffect(() => {
    const timer = setTimeout(() => setRested(wanted), isNear ? 0 : REST_MS)
    return () => clearTimeout(timer)
  }, [wanted, isNear])
  const asked = isNear ? wanted : rested
  const isOld = asked !== wanted
  return (
    <div ref={ref} className={clsx('flex flex-col gap-4', isOld && 'of-before')} aria-busy={isOld || undefined}>
      {asked === undefined ? <Loading rows={8} /> : children(asked)}
    </div>
  )
}

function useIsNear(): readonly [ref: RefCallback<HTMLElement>, isNear: boolean] {
  const [isNear, setIsNear] = useState(false)
  const ref = useCallback((element: HTMLElement) => {
    const observer = new IntersectionObserver((seen) => setIsNear(seen.at(-1)?.isIntersecting === true), {
      rootMargin: NEAR,
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [ref, isNear]
}
