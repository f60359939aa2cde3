import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

/** Builds a page of the server: `--mode console`, or `--mode reference` for the page at `/docs`. */
export default defineConfig(({ mode }) => ({
  root: toPath(`./src/pages/${mode}`),
  // The page may stand under any path.
  base: './',
  logLevel: 'warn',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: toPath(`./dist/${mode}`),
    emptyOutDir: true,
    target: 'es2022',
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // The content policy forbids inline content.
    assetsInlineLimit: 0,
    modulePreload: false,
  },
  // The URL `/docs` has no slash at its end, so the URLs of its files need the prefix `docs/`.
  ...(mode === 'reference' && {
    experimental: {
      renderBuiltUrl: (file: string, { hostType }: { hostType: string }) =>
        hostType === 'html' ? `docs/${file}` : { relative: true },
    },
  }),
}))

function toPath(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url))
}
