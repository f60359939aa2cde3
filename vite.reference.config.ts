import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import pages from './vite.console.config.ts'

/** Builds the page at `/docs` as the console is built. */
export default defineConfig({
  ...pages,
  root: fileURLToPath(new URL('./src/pages/reference', import.meta.url)),
  build: { ...pages.build, outDir: fileURLToPath(new URL('./dist/reference', import.meta.url)) },
  // The page has no slash at its end: what it names stands below it.
  experimental: {
    renderBuiltUrl: (file, { hostType }) =>
      hostType === 'html' ? `docs/${file}` : { relative: true },
  },
})
