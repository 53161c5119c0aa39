/** A list of actions behind one button. Until it is opened it is only the button: a table has one in each of its rows. */
import { cloneElement, type FunctionComponent, useState } from 'react'
import { sayNotLoaded } from './late-window.tsx'
import type { MenuProps } from './menu-entry.ts'

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
