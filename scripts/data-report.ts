import { mkdirSync, writeFileSync } from 'node:fs'
import { createSandbox } from '../src/index.ts'
import type { ScenarioName } from '../src/index.ts'
import { toBoundsTable, measureBounds, isWithinBound } from './data-report/bounds.ts'
import type { Finding } from './data-report/bounds.ts'
import { generateDataReport } from './generate-data-report.ts'
import { isStale, toFileUrl } from './stale-files.ts'

// Prints the measurements and bounds of seeded data for each scenario with three seeds. `npm run
// data-report -- solo` measures only that scenario. Writes docs/data.md unless scenarios are named.
const named = process.argv.slice(2)
const scenarios = (named.length > 0 ? named : ['agency', 'solo', 'large']) as ScenarioName[]
for (const scenario of scenarios) {
  const findings: Finding[] = []
  for (const seed of [undefined, 11, 4242]) {
    const sandbox = createSandbox({ scenario, ...(seed === undefined ? {} : { seed }) })
    await sandbox.ready
    findings.push(...(await measureBounds(sandbox)))
  }
  console.log(`\n${scenario}, at three seeds`)
  for (const [about = '', what = '', allowed = '', range = ''] of toBoundsTable(findings))
    if (range !== '')
      console.log(`  ${`${about}: ${what}`.padEnd(78)} ${allowed.padEnd(16)} ${range}`)
  for (const finding of findings.filter((each) => !isWithinBound(each)))
    console.log(
      `  OUT OF BOUNDS ${finding.who} ${finding.bound.about}: ${finding.bound.what}: ${finding.value}`,
    )
}
if (named.length === 0)
  for (const file of (await generateDataReport()).filter(isStale)) {
    const url = toFileUrl(file.path)
    mkdirSync(new URL('.', url), { recursive: true })
    writeFileSync(url, file.content)
    console.log(`wrote ${file.path}`)
  }
