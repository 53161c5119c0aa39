/** What stands between a key and the page: somebody who types, or a window. */

const WINDOWS = '[role="dialog"], [role="alertdialog"], [role="menu"]'

export function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null
}

/** How many windows and menus lie over the page. */
export function openWindows(): number {
  return document.querySelectorAll(WINDOWS).length
}
