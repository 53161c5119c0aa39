/** Named places on the pages of modules that extensions fill. Modules know the place and not who fills it. */
import { createContext, type FunctionComponent, useContext, useState } from 'react'
import { lateWindow } from '../ui/late-window.tsx'

/** What is placed there gets `Props`. `Facts` is what the page must know before it shows the part, such as the label of a tab. */
export interface Slot<Props extends object, Facts = undefined> {
  readonly name: string
  /** Never there: it only keeps the types. */
  readonly accepts?: (props: Props, facts: Facts) => void
}

export type AnySlot = Slot<never, never>

interface Placed<Props extends object, Facts> {
  readonly facts: Facts
  readonly Part: FunctionComponent<Props>
}

export interface Filling extends Placed<never, unknown> {
  readonly slot: AnySlot
  readonly load: () => Promise<unknown>
}

/** The part is a chunk of its own: loaded with the page that names the slot, else when it is first shown. */
export function fill<Props extends object, Facts>(
  slot: Slot<Props, Facts>,
  load: () => Promise<FunctionComponent<Props>>,
  ...[facts]: Facts extends undefined ? [] : [Facts]
): Filling {
  let loaded: FunctionComponent<Props> | undefined
  const keep = async (): Promise<FunctionComponent<Props>> => {
    loaded ??= await load()
    return loaded
  }
  const Late = lateWindow(keep)
  function Part(props: Props) {
    // Chosen once: another component later would be a new one, without what was typed into it.
    const [Shown] = useState(() => loaded ?? Late)
    return <Shown {...props} />
  }
  return { slot, facts, load: keep, Part }
}

export const FillingsContext = createContext<readonly Filling[]>([])

export function useSlot<Props extends object, Facts>(slot: Slot<Props, Facts>): readonly Placed<Props, Facts>[] {
  const fillings = useContext(FillingsContext)
  return fillings.filter((filling) => filling.slot === slot) as unknown as readonly Placed<Props, Facts>[]
}

/** Everything that was placed there, one after the other. */
export function SlotParts<Props extends object>({
  slot,
  props,
}: {
  readonly slot: Slot<Props>
  readonly props: Props
}) {
  return useSlot(slot).map(({ Part }, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes.
    <Part key={place} {...props} />
  ))
}
