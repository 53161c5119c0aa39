/** A part of the portal that is loaded when it is needed. One that is there already is shown at once, without a placeholder in between. */
import { type FunctionComponent, lazy, useState } from 'react'

export interface LatePart {
  readonly Part: FunctionComponent
  readonly load: () => Promise<unknown>
  /** After it could not be loaded: whoever comes back to it asks once more. */
  readonly tryAgain: () => void
}

export function latePart(load: () => Promise<FunctionComponent>): LatePart {
  let loaded: FunctionComponent | undefined
  const keep = async (): Promise<FunctionComponent> => {
    loaded ??= await load()
    return loaded
  }
  // React keeps the failure of one for ever.
  const makeLate = () => lazy(async () => ({ default: await keep() }))
  let Late = makeLate()
  return {
    load: keep,
    tryAgain: () => {
      Late = makeLate()
    },
    Part: function Part() {
      // Chosen once: another component later would be a new one, without what was typed into it.
      const [Shown] = useState(() => loaded ?? Late)
      return <Shown />
    },
  }
}
