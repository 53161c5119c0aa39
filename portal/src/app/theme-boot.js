/** Runs before the first paint, so that a chosen theme never flashes. */
;(() => {
  const theme = localStorage.getItem('causeway.theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
  globalThis.__webpack_nonce__ = document.querySelector('meta[name="csp-nonce"]')?.getAttribute('content') ?? ''
})()
