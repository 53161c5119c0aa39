/** Places in the frame of the portal that extensions fill. */
import type { Slot } from './slot.tsx'

/** Groups of entries in the palette. `onDone` closes it. */
export const paletteGroups: Slot<{ readonly onDone: () => void }> = { name: 'palette groups' }
