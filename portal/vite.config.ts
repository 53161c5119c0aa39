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

/**
 * Which code shares a file. Left to itself the bundler cuts what pages share into two dozen files, each with a cost on a slow
 * machine; and what only opens later (windows, forms) must not come along with what a page shows first. The first match counts.
 */
const files: readonly (readonly [name: string, test: RegExp])[] = [
  [
    'libraries',
    /node_modules[\\/](react|react-dom|scheduler|use-sync-external-store|openapi-fetch|sonner|clsx|@tanstack[\\/](react-router|router-core|history|react-query|query-core|react-store|store))[\\/]/,
  ],
  [
    'shell',
    /node_modules[\\/]lucide-react[\\/]|portal[\\/]src[\\/](api[\\/]|app[\\/](?!palette|mobile-list|shortcut-list)[^\\/]+$|hash-redirects|assets[\\/]|(app|modules|extensions)[\\/](.+[\\/])?([^\\/]+\.page|slots|extension)\.ts|ui[\\/](button|controls|copy|format|formatters|late-window|layout|logo|plain-table|states|url-state|values|budget-badge)\.)/,
  ],
  ['charts', /portal[\\/]src[\\/]charts[\\/]|node_modules[\\/](@visx|d3-[^\\/]+|internmap)[\\/]/],
  [
    'table',
    /portal[\\/]src[\\/]ui[\\/](data-table|filter-chip|menu|table-[^\\/]+|time-choice|use-names)\.|node_modules[\\/]@tanstack[\\/]/,
  ],
  [
    'parts',
    /node_modules[\\/]@radix-ui[\\/](primitive|number|react-(tabs|roving-focus|collection|compose-refs|context|direction|id|presence|primitive|slot|use-[^\\/]+))[\\/]|portal[\\/]src[\\/]ui[\\/](tabs|combobox|find-subject)\./,
  ],
  [
    'windows',
    /node_modules[\\/](@radix-ui|radix-ui|@floating-ui|aria-hidden|react-remove-scroll[^\\/]*|react-style-singleton|use-callback-ref|use-sidecar)[\\/]|portal[\\/]src[\\/]ui[\\/](dialog|open-menu|tooltip)\./,
  ],
  [
    'forms',
    /node_modules[\\/](react-hook-form|@hookform|zod)[\\/]|portal[\\/]src[\\/]ui[\\/](form|fields|subject-select)\./,
  ],
]

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
          groups: files.map(([name, test], index) => ({ name, test, priority: files.length - index })),
        },
      },
    },
  },
})
