import { benchServers } from './http.ts'
import { benchImport } from './import.ts'
import { benchInProcess } from './in-process.ts'
import { toTable } from './measure.ts'

// Everything is measured on the built package, as users run it. `--quick` leaves the servers out.
const { createSandbox } = (await import(new URL('../dist/index.js', import.meta.url).href)) as typeof import('../src/index.ts')
const { handlers } = (await import(new URL('../dist/msw.js', import.meta.url).href)) as typeof import('../src/adapters/msw.ts')

const inProcess = await benchInProcess({ createSandbox, handlers })
const imported = benchImport()
const servers = process.argv.includes('--quick') ? { lines: [], report: [] } : await benchServers()

console.log(servers.report.join('\n'))
console.log()
const lines = [...servers.lines, ...inProcess, ...imported]
console.log(toTable(lines))
process.exitCode = lines.every(({ isKept }) => isKept) ? 0 : 1
