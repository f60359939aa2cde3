import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { transformSync } from 'esbuild'
import { createProject, installPackages, runCheck, runCommand } from '../npm-project.ts'

/** Supported MSW versions, each with a Node.js version that it supports. */
const pairs = [
  { msw: 'msw@2.10', node: 'node@20.19' },
  { msw: 'msw@2.15', node: 'node@20.19' },
  { msw: 'msw@3', node: 'node@24' },
]

const runner = `
import { readFileSync } from 'node:fs'
import { checks, runCheck } from './checks.mjs'

const { version } = JSON.parse(readFileSync('node_modules/msw/package.json', 'utf8'))
// The test deliberately causes unhandled requests, which MSW reports on stderr.
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

/**
 * Runs the checks in `test/compat/checks.ts` against the packed package, for each pair of versions.
 */
export async function checkMsw(tarball: string): Promise<void> {
  const source = readFileSync(new URL('../../test/compat/checks.ts', import.meta.url), 'utf8')
  const { code } = transformSync(source, { loader: 'ts', target: 'es2022' })
  const installed = pairs.map(({ msw, node }) => {
    const folder = createProject()
    writeFileSync(join(folder, 'checks.mjs'), code)
    writeFileSync(join(folder, 'run.mjs'), runner)
    return {
      title: `${msw} on ${node}`,
      folder,
      done: installPackages(folder, tarball, msw, node),
    }
  })
  await Promise.allSettled(installed.map(({ done }) => done))
  for (const { title, folder, done } of installed) {
    await runCheck(title, async () => {
      await done
      process.stdout.write(
        await runCommand(join(folder, 'node_modules/.bin/node'), ['run.mjs'], folder),
      )
    })
  }
}
