/** An entry point of the package. */
export interface Entry {
  /** Its name behind that of the package, and in `dist`; `index` is the package itself. */
  name: string
  /** Its file. */
  source: string
  /** Whether it must run in browsers too: then it loads no Node built-in, and little at once. */
  isPortable: boolean
  /** Whether only ESM can load it, as what it imports is ESM alone. */
  isEsmOnly?: true
}

/** Every entry point. Another is a line here and `npm run generate`: builds, exports, the names in tests and types follow. */
export const entries: readonly Entry[] = [
  { name: 'index', source: 'src/index.ts', isPortable: true },
  { name: 'msw', source: 'src/adapters/msw.ts', isPortable: true },
  { name: 'express', source: 'src/adapters/express.ts', isPortable: false },
  { name: 'fetch', source: 'src/adapters/fetch.ts', isPortable: true },
  { name: 'client', source: 'src/client/connect.ts', isPortable: true },
  { name: 'server', source: 'src/server/start.ts', isPortable: false },
  { name: 'vitest', source: 'src/kits/vitest.ts', isPortable: false, isEsmOnly: true },
  { name: 'vitest/setup', source: 'src/kits/vitest-setup.ts', isPortable: false, isEsmOnly: true },
  { name: 'jest', source: 'src/kits/jest.ts', isPortable: false },
  { name: 'playwright', source: 'src/kits/playwright.ts', isPortable: false },
  { name: 'matchers', source: 'src/audit/matchers.ts', isPortable: true },
  { name: 'overlay', source: 'src/overlay/overlay.ts', isPortable: true },
  { name: 'schema', source: 'src/generated/schema.ts', isPortable: true },
]

/** How users import an entry point. */
export function specifierOf({ name }: Entry): string {
  return name === 'index' ? 'creator-api-sandbox' : `creator-api-sandbox/${name}`
}

/** Where the declarations of an entry point are, below the folder of all, without their ending. */
export function declarationsOf({ source }: Entry): string {
  return source.replace(/^src\/|\.ts$/g, '')
}
