import { benchGrowth } from './growth.ts'
import { formatTable } from './measure.ts'
import type { Line } from './measure.ts'
import { benchMemory } from './memory.ts'
import { benchRoutes } from './routes.ts'
import { benchStart } from './start.ts'
import { benchState } from './state.ts'
import { benchTestIsolation } from './test-isolation.ts'

// Measures the built package, as users run it: all parts, or those named on the command line.
const { createSandbox } = (await import(
  new URL('../dist/index.js', import.meta.url).href
)) as typeof import('../src/index.ts')

const parts: Readonly<Record<string, () => Line[] | Promise<Line[]>>> = {
  start: benchStart,
  'test-isolation': benchTestIsolation,
  routes: () => benchRoutes({ createSandbox }),
  growth: () => benchGrowth({ createSandbox }),
  memory: benchMemory,
  state: benchState,
}

const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(parts)
for (const name of names) {
  const measure = parts[name]
  if (measure === undefined) {
    throw new Error(`no part is named "${name}": the parts are ${Object.keys(parts).join(', ')}`)
  }
  const lines = await measure()
  console.log(formatTable(lines))
  if (!lines.every(({ isKept }) => isKept)) process.exitCode = 1
}
