import { benchAudit, benchJournalCost } from './audit.ts'
import { benchBounds } from './bounds.ts'
import { benchConsole } from './console.ts'
import { benchServers } from './http.ts'
import { benchImport } from './import.ts'
import { benchInProcess } from './in-process.ts'
import { benchTestIsolation } from './test-isolation.ts'
import { formatTable } from './measure.ts'
import { benchOperations } from './operations.ts'
import { benchRoutes } from './routes.ts'
import { benchStalls, benchTips } from './stalls.ts'
import { benchSharedState } from './shared-state.ts'
import { benchState } from './state.ts'

// Measures the built package, as users run it. `--quick` skips the servers, and `--long` plays a
// story for two hours.
const { createSandbox } = (await import(
  new URL('../dist/index.js', import.meta.url).href
)) as typeof import('../src/index.ts')
const { handlers } = (await import(
  new URL('../dist/msw.js', import.meta.url).href
)) as typeof import('../src/hosts/msw.ts')

const inProcess = await benchInProcess({ createSandbox, handlers })
const tips = await benchTips({ createSandbox })
const audit = [await benchAudit({ createSandbox }), await benchJournalCost({ createSandbox })]
const imported = benchImport()
const isQuick = process.argv.includes('--quick')
const servers = isQuick ? { lines: [], report: [] } : await benchServers()
const routes = isQuick ? [] : await benchRoutes({ createSandbox })
const stalls = isQuick ? [] : await benchStalls()
const state = isQuick ? [] : [...(await benchState()), ...(await benchSharedState())]
const bounds = isQuick ? [] : await benchBounds({ createSandbox })
const operations = isQuick ? [] : await benchOperations({ createSandbox })
const kits = isQuick ? [] : benchTestIsolation()
const page = isQuick
  ? []
  : await benchConsole({ playSeconds: process.argv.includes('--long') ? 7_200 : 20 })

console.log(servers.report.join('\n'))
console.log()
const lines = [
  ...servers.lines,
  ...routes,
  ...stalls,
  ...state,
  ...bounds,
  ...operations,
  ...kits,
  ...page,
  ...inProcess,
  tips,
  ...audit,
  ...imported,
]
console.log(formatTable(lines))
process.exitCode = lines.every(({ isKept }) => isKept) ? 0 : 1
