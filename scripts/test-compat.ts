import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { transformSync } from 'esbuild'
import { createProject, install, pack, run } from './packed.ts'

/** The versions of MSW that the package supports, each with a Node that it runs on. */
const pairs = [
  { msw: 'msw@2.10', node: 'node@20.19' },
  { msw: 'msw@2.15', node: 'node@20.19' },
  { msw: 'msw@3', node: 'node@24' },
]

const checks = transformSync(readFileSync(new URL('../test/compat/checks.ts', import.meta.url), 'utf8'), {
  loader: 'ts',
  target: 'es2022',
}).code
const runner = `
import { readFileSync } from 'node:fs'
import { checks, runCheck } from './checks.mjs'

const { version } = JSON.parse(readFileSync('node_modules/msw/package.json', 'utf8'))
// MSW says on stderr what it lets nobody answer; that is asked for here.
console.error = console.warn = () => {}
for (const check of checks) {
  try {
    await runCheck(check)
    console.log(\`ok      msw \${version}, node \${process.version}: \${check.name}\`)
  } catch (error) {
    process.exitCode = 1
    console.log(\`failed  msw \${version}, node \${process.version}: \${check.name}: \${error.stack}\`)
  }
}
`

const tarball = pack()
for (const { msw, node } of pairs) {
  const folder = createProject()
  install(folder, tarball, msw, node)
  writeFileSync(join(folder, 'checks.mjs'), checks)
  writeFileSync(join(folder, 'run.mjs'), runner)
  process.stdout.write(run(join(folder, 'node_modules/.bin/node'), ['run.mjs'], folder))
}
