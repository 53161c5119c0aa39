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

// biome-ignore lint/style/noDefaultExport: Vite reads the default export.
export default defineConfig({
  base: '/portal/',
  plugins: [react(), tailwindcss(), quietSonner],
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1000,
  },
})
