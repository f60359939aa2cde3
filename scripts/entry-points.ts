export interface Entry {
  /**
   * Name of the entry point, as in `creator-api-sandbox/NAME` and as the file name in `dist`.
   * `index` is the package itself.
   */
  name: string
  /** Source file of the entry point. */
  source: string
  /**
   * True if the entry point must also run in browsers. Its static imports must then be small and
   * must not include Node.js built-ins.
   */
  isPortable: boolean
  /** True if the entry point can only be loaded as ESM, because it imports ESM-only packages. */
  isEsmOnly?: true
  /**
   * True if the entry point needs a sandbox in the same process. This kind of entry point loads the
   * library anyway, so splitting it saves little.
   */
  needsSandbox?: true
  /**
   * Maximum size of the static imports, bytes. Set a low value for an entry point that every test
   * file loads without the library.
   * @default the maximum of the build
   */
  maxBytes?: number
}

/**
 * All entry points. After adding one here, run `npm run generate` to update the builds, the exports
 * and the names in tests and types.
 */
export const entries: readonly Entry[] = [
  { name: 'index', source: 'src/index.ts', isPortable: true },
  { name: 'msw', source: 'src/hosts/msw.ts', isPortable: true, needsSandbox: true },
  { name: 'express', source: 'src/hosts/express.ts', isPortable: false, needsSandbox: true },
  { name: 'fetch', source: 'src/sandbox/fetch.ts', isPortable: true },
  { name: 'client', source: 'src/client/connect.ts', isPortable: true, maxBytes: 28_000 },
  { name: 'server', source: 'src/hosts/server/start.ts', isPortable: false },
  {
    name: 'vitest',
    source: 'src/runners/vitest.ts',
    isPortable: false,
    isEsmOnly: true,
    maxBytes: 50_000,
  },
  {
    name: 'vitest/setup',
    source: 'src/runners/vitest-setup.ts',
    isPortable: false,
    isEsmOnly: true,
  },
  { name: 'jest', source: 'src/runners/jest.ts', isPortable: false, maxBytes: 40_000 },
  { name: 'playwright', source: 'src/runners/playwright.ts', isPortable: false },
  { name: 'matchers', source: 'src/runners/matchers.ts', isPortable: true, maxBytes: 40_000 },
  {
    name: 'overlay',
    source: 'src/overlay/overlay.ts',
    isPortable: true,
    needsSandbox: true,
    maxBytes: 1_308_000,
  },
  {
    name: 'faker',
    source: 'src/sandbox/faker.ts',
    isPortable: true,
    isEsmOnly: true,
    needsSandbox: true,
  },
  { name: 'schema', source: 'src/generated/schema.ts', isPortable: true },
]

/** Returns the import specifier of an entry point. */
export function getImportSpecifier({ name }: Entry): string {
  return name === 'index' ? 'creator-api-sandbox' : `creator-api-sandbox/${name}`
}

/**
 * Returns the path of an entry point's declarations, relative to their folder and without
 * extension.
 */
export function getDeclarationsPath({ source }: Entry): string {
  return source.replace(/^src\/|\.ts$/g, '')
}
