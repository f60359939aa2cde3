import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

/** Builds the console into static files that the Express adapter serves. */
export default defineConfig({
  root: fileURLToPath(new URL('./src/pages/console', import.meta.url)),
  // The page may stand under any path.
  base: './',
  logLevel: 'warn',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: fileURLToPath(new URL('./dist/console', import.meta.url)),
    emptyOutDir: true,
    target: 'es2022',
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // The content policy lets nothing inline.
    assetsInlineLimit: 0,
    modulePreload: false,
  },
})
