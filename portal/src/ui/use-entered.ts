/** Enter before there is an answer: it is kept, unless something else is typed meanwhile, and holds as soon as nothing is looked up any more. */
import { useEffect, useState } from 'react'

export function useEntered(typed: string | undefined, isLooking: boolean, enter: () => void): () => void {
  const [entered, setEntered] = useState<string>()
  useEffect(() => {
    if (entered === undefined || (entered === typed && isLooking)) return
    setEntered(undefined)
    if (entered === typed) enter()
  }, [entered, typed, isLooking, enter])
  return () => setEntered(typed)
}
