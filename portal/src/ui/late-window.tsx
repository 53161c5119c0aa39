/**
 * What opens over a page comes with its first opening: a page that is only looked at does not load its windows and forms. One
 * that cannot be loaded leaves the page as it is and says so; opening it again asks again.
 */
import { type FunctionComponent, useEffect, useRef, useState } from 'react'
import { toast } from 'sonner'

const AGAIN_MS = 5_000

/** `leave` undoes the opening. Without it, for a window that opens by itself, loading is tried until it succeeds. */
export function lateWindow<Props extends object>(
  load: () => Promise<FunctionComponent<Props>>,
  leave?: (props: Props) => void,
): FunctionComponent<Props> {
  let loaded: FunctionComponent<Props> | undefined
  return function LateWindow(props: Props) {
    const [Shown, setShown] = useState(() => loaded)
    const latest = useRef(props)
    latest.current = props
    useEffect(() => {
      let isGone = false
      let timer: ReturnType<typeof setTimeout> | undefined
      const ask = async (): Promise<void> => {
        try {
          const part = (loaded ??= await load())
          if (!isGone) setShown(() => part)
        } catch {
          if (isGone) return
          if (leave === undefined) timer = setTimeout(() => void ask(), AGAIN_MS)
          else {
            sayNotLoaded()
            leave(latest.current)
          }
        }
      }
      void ask()
      return () => {
        isGone = true
        clearTimeout(timer)
      }
    }, [])
    return Shown === undefined ? null : <Shown {...props} />
  }
}

/** An update of the gateway takes the files of the version before away, which only a reload can tell. */
export function sayNotLoaded(): void {
  toast.error('This could not be opened', {
    id: 'not-loaded',
    duration: Number.POSITIVE_INFINITY,
    description: 'Check your connection and try again. If the gateway was updated meanwhile, reload the page.',
  })
}
