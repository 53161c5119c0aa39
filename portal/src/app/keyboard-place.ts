/** Where the keyboard was before a window opened, and goes back to when it closes: the place may be gone by then, or a menu that closed meanwhile. */
import { useRef } from 'react'

const OVER_THE_PAGE = '[role="dialog"], [role="alertdialog"], [role="menu"]'

/** The last place in the page itself, under whatever was open over it. */
let inPage: Element | undefined

export function watchKeyboard(): void {
  document.addEventListener('focusin', ({ target }) => {
    if (target instanceof Element && target.closest(OVER_THE_PAGE) === null) inPage = target
  })
  // Left for nothing, as by a click beside it: whoever opens a window then has no place to come back to.
  document.addEventListener('focusout', ({ target, relatedTarget }) => {
    if (target === inPage && relatedTarget === null) inPage = undefined
  })
}

/** Where the keyboard goes first in a window: what the window is for, and not the button that closes it. */
const FIRST_PLACE = '[data-first-place], input:enabled, select:enabled, textarea:enabled'

interface WindowFocus {
  readonly onOpenAutoFocus: (event: Event) => void
  readonly onCloseAutoFocus: (event: Event) => void
}

/** For the content of every window. The library knows only windows that have a button of their own, and leaves the others' place lost. */
export function useWindowFocus(): WindowFocus {
  const before = useRef<Element | null>(null)
  return {
    onOpenAutoFocus: (event) => {
      before.current = findOpener(document.activeElement)
      const first = event.target instanceof Element ? event.target.querySelector(FIRST_PLACE) : null
      if (!(first instanceof HTMLElement)) return
      event.preventDefault()
      first.focus()
    },
    onCloseAutoFocus: (event) => {
      event.preventDefault()
      giveBack(before.current)
    },
  }
}

/** A menu is gone as soon as something in it was chosen; its button stays. */
function findOpener(place: Element | null): Element | null {
  const button = place?.closest('[role="menu"]')?.getAttribute('aria-labelledby')
  return button === null || button === undefined ? place : document.getElementById(button)
}

function giveBack(before: Element | null): void {
  const now = document.activeElement
  // Another window has opened, or the content of a new page has it already.
  if (now !== null && now !== document.body && !now.contains(before)) return
  const hadNone = (before === null || before === document.body) && inPage === undefined
  const places = hadNone ? [] : [before, inPage, document.querySelector('main')]
  for (const place of places)
    if (place instanceof HTMLElement && place.isConnected && place !== document.body) {
      place.focus({ preventScroll: true })
      return
    }
}
