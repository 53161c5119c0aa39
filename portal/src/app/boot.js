/** Runs before everything else: a chosen theme never flashes; who it is, and the files of the page in the address, are asked for at once. */
;(() => {
  // Taken by the client of the API. A refusal of the network is told there.
  globalThis.causewayFirstMe = fetch('/auth/me', { headers: { accept: 'application/json' } })
  globalThis.causewayFirstMe.catch(() => {})

  // React makes five errors while it is loaded, and for the stack of each the browser would read its code once more.
  Error.stackTraceLimit = 0

  const theme = localStorage.getItem('causeway.theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
  globalThis.__webpack_nonce__ = document.querySelector('meta[name="csp-nonce"]')?.getAttribute('content') ?? ''

  // Filled in by the build. Without it they would be found only after the application has started.
  const { files, pages } = __PAGE_FILES__
  const address = location.hash.slice(1).split('?')[0] || '/'
  const found = Object.keys(pages).find((path) => new RegExp(`^${path.replace(/\$\w+/g, '[^/]+')}$`).test(address))
  for (const index of pages[found] ?? []) {
    const link = document.createElement('link')
    link.rel = 'modulepreload'
    link.href = `/portal/assets/${files[index]}`
    document.head.append(link)
  }
})()
