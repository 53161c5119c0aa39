/** What stands in a menu, and the button that opens it. */
import type { LucideIcon } from 'lucide-react'
import type { KeyboardEvent, ReactElement } from 'react'

export type MenuEntry =
  | {
      readonly kind: 'action'
      readonly label: string
      readonly icon?: LucideIcon
      readonly isDangerous?: boolean
      readonly isDisabled?: boolean
      readonly onSelect: () => void
    }
  | { readonly kind: 'choice'; readonly label: string; readonly isChosen: boolean; readonly onSelect: () => void }
  | { readonly kind: 'heading'; readonly label: string }
  | { readonly kind: 'line'; readonly id: string }

interface TriggerProps {
  readonly onClick?: () => void
  readonly onKeyDown?: (event: KeyboardEvent) => void
  readonly 'aria-haspopup'?: 'menu'
  readonly 'aria-expanded'?: boolean
}

export interface MenuProps {
  /** One button; it keeps its own name. */
  readonly trigger: ReactElement<TriggerProps>
  readonly entries: readonly MenuEntry[]
  readonly align?: 'start' | 'end'
}
