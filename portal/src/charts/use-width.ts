import { type RefCallback, useCallback, useState } from 'react'

/** The width of an element: known before it is painted for the first time, so that nothing inside of it comes a frame later. */
export function useWidth(): readonly [ref: RefCallback<HTMLElement>, width: number] {
  const [width, setWidth] = useState(0)
  const ref = useCallback((element: HTMLElement) => {
    const measure = () => setWidth(element.clientWidth)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [ref, width]
}
