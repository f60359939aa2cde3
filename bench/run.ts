import { benchGrowth } from './growth.ts'
import { formatTable } from './measure.ts'
import { benchMemory } from './memory.ts'
import { benchRoutes } from './routes.ts'
import { benchStart } from './start.ts'
import { benchState } from './state.ts'
import { benchTestIsolation } from './test-isolation.ts'

// Measures the built package, as users run it.
const { createSandbox } = (await import(
  new URL('../dist/index.js', import.meta.url).href
)) as typeof import('../src/index.ts')

const lines = [
  ...(await benchStart()),
  ...benchTestIsolation(),
  ...(await benchRoutes({ createSandbox })),
  ...(await benchGrowth({ createSandbox })),
  ...(await benchMemory()),
  ...(await benchState()),
]
console.log(formatTable(lines))
process.exitCode = lines.every(({ isKept }) => isKept) ? 0 : 1
