/** An entry point of the package. */
export interface Entry {
  /** Its name after that of the package, and in `dist`. `index` is the package itself. */
  name: string
  /** Its file. */
  source: string
  /**
   * True if it must also run in browsers. Then it must not load Node built-ins, and its static
   * imports must be small.
   */
  isPortable: boolean
  /** True if only ESM can load it, because it imports ESM-only packages. */
  isEsmOnly?: true
  /**
   * True if it needs a sandbox in the process. The library is then loaded anyway, so it may be
   * split less.
   */
  needsSandbox?: true
  /**
   * Maximum size of its static imports, bytes. Small for entry points without the library that
   * every test file loads.
   * @default the maximum of the build
   */
  maxBytes?: number
}

/**
 * Every entry point. To add one, add a line and run `npm run generate`. Builds, exports, and the
 * names in tests and types follow.
 */
export const entries: readonly Entry[] = [
  { name: 'index', source: 'src/index.ts', isPortable: true },
  { name: 'msw', source: 'src/hosts/msw.ts', isPortable: true, needsSandbox: true },
  { name: 'express', source: 'src/hosts/express.ts', isPortable: false, needsSandbox: true },
  { name: 'fetch', source: 'src/hosts/fetch.ts', isPortable: true },
  { name: 'client', source: 'src/client/connect.ts', isPortable: true, maxBytes: 25_000 },
  { name: 'server', source: 'src/hosts/server/start.ts', isPortable: false },
  {
    name: 'vitest',
    source: 'src/runners/vitest.ts',
    isPortable: false,
    isEsmOnly: true,
    maxBytes: 40_000,
  },
  {
    name: 'vitest/setup',
    source: 'src/runners/vitest-setup.ts',
    isPortable: false,
    isEsmOnly: true,
  },
  { name: 'jest', source: 'src/runners/jest.ts', isPortable: false, maxBytes: 30_000 },
  { name: 'playwright', source: 'src/runners/playwright.ts', isPortable: false },
  { name: 'matchers', source: 'src/audit/matchers.ts', isPortable: true, maxBytes: 30_000 },
  {
    name: 'overlay',
    source: 'src/overlay/overlay.ts',
    isPortable: true,
    needsSandbox: true,
    maxBytes: 1_340_000,
  },
  { name: 'schema', source: 'src/generated/schema.ts', isPortable: true },
]

/** Returns the import specifier of an entry point. */
export function getImportSpecifier({ name }: Entry): string {
  return name === 'index' ? 'creator-api-sandbox' : `creator-api-sandbox/${name}`
}

/**
 * Returns the path of the declarations of an entry point, below their folder, without extension.
 */
export function getDeclarationsPath({ source }: Entry): string {
  return source.replace(/^src\/|\.ts$/g, '')
}
