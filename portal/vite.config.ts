/** How the portal is built. The output is served by the gateway under /portal/assets. */
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** sonner writes its style into the page when it is loaded, which the page's policy forbids; we import the same style as a file. */
const quietSonner: Plugin = {
  name: 'quiet-sonner',
  transform(code, id) {
    if (!/sonner[\\/]dist[\\/]index\.mjs/.test(id)) return undefined
    const changed = code.replace(/^__insertCSS\(".*"\);?$/m, '')
    if (changed === code) this.error('sonner no longer inserts its style where we look for it')
    return { code: changed, map: null }
  },
}

/** What the first picture needs, whatever the page is. */
const firstLibraries =
  /node_modules[\\/](react|react-dom|scheduler|use-sync-external-store|openapi-fetch|sonner|clsx|@tanstack[\\/](react-router|router-core|history|react-query|query-core|react-store|store))[\\/]/
const shell =
  /portal[\\/]src[\\/](api[\\/]|app[\\/](?!palette|mobile-list|shortcut-list)|hash-redirects|assets[\\/]|pages[\\/][^\\/]+[\\/][^\\/]+\.page\.ts|ui[\\/](button|layout|states|copy|url-state|format|values)\.)/
/** Dialogs, menus and tabs share their parts. */
const windows =
  /node_modules[\\/](@radix-ui|radix-ui|@floating-ui|aria-hidden|react-remove-scroll[^\\/]*|react-style-singleton|use-callback-ref|use-sidecar)[\\/]/

// biome-ignore lint/style/noDefaultExport: Vite reads the default export.
export default defineConfig({
  base: '/portal/',
  plugins: [react(), tailwindcss(), quietSonner],
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1000,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // Left to itself the bundler cuts what every page shares into two dozen files, each with a cost on a slow machine.
          groups: [
            { name: 'libraries', test: firstLibraries, priority: 3 },
            { name: 'shell', test: shell, priority: 2 },
            { name: 'windows', test: windows, priority: 1 },
          ],
        },
      },
    },
  },
})
