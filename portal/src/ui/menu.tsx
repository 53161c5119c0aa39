/** A list of actions behind one button. Until it is opened it is only the button: a table has one in each of its rows. */
import type { LucideIcon } from 'lucide-react'
import { cloneElement, type FunctionComponent, type KeyboardEvent, type ReactElement, useState } from 'react'
import { sayNotLoaded } from './late-window.tsx'

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

let OpenMenu: FunctionComponent<MenuProps> | undefined

async function loadOpenMenu(): Promise<void> {
  OpenMenu ??= (await import('./open-menu.tsx')).OpenMenu
}

export function Menu(props: MenuProps) {
  const [wasOpened, setWasOpened] = useState(false)
  const open = (): void => void loadOpenMenu().then(() => setWasOpened(true), sayNotLoaded)
  if (wasOpened && OpenMenu !== undefined) return <OpenMenu {...props} />
  return cloneElement(props.trigger, {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    onClick: open,
    onKeyDown: (event) => event.key === 'ArrowDown' && open(),
  })
}
