/** An entry point of the package. */
export interface Entry {
  /**
   * The name of the entry point, which follows the package name in imports and is the file name in
   * `dist`. `index` is the package itself.
   */
  name: string
  /** The source file of the entry point. */
  source: string
  /**
   * True if the entry point must also run in browsers. In that case, it must not load built-in
   * modules of Node.js, and its static imports must be small.
   */
  isPortable: boolean
  /** True if the entry point can only be loaded as ESM, because it imports ESM-only packages. */
  isEsmOnly?: true
  /**
   * True if the entry point needs a sandbox in the same process. The library is then loaded anyway,
   * so it need not be split as much.
   */
  needsSandbox?: true
  /**
   * Maximum size of the static imports, bytes. It is small for entry points that do not need the
   * library and are loaded by every test file.
   * @default the maximum of the build
   */
  maxBytes?: number
}

/**
 * All entry points. To add one, add it here and run `npm run generate`. This updates builds,
 * exports, and the names in tests and types.
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
    maxBytes: 1_400_000,
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
