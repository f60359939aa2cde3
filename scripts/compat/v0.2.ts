import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createProject, installConcurrently, runConcurrently } from '../npm-project.ts'
import { runCheck } from './report.ts'

const tests = fileURLToPath(new URL('../../test/compat/v0.2/consumer.test.ts', import.meta.url))

const packages = ['msw@2', 'vitest@4.1', 'typescript@5.9', '@types/node@20']

const compilerOptions = {
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  target: 'es2022',
  module: 'nodenext',
  types: ['node'],
}

/** Compiles a project written for version 0.2 against the packed package, and runs its tests. */
export async function checkVersion02(tarball: string): Promise<void> {
  const folder = createProject()
  cpSync(tests, join(folder, 'consumer.test.ts'))
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, files: ['consumer.test.ts'] }),
  )
  if (!(await runCheck('0.2: installs', () => installConcurrently(folder, tarball, ...packages))))
    return
  await runCheck('0.2: tests written against it compile', () =>
    runConcurrently(process.execPath, ['node_modules/typescript/bin/tsc', '-p', '.'], folder),
  )
  await runCheck('0.2: tests written against it pass', () =>
    runConcurrently(process.execPath, ['node_modules/vitest/vitest.mjs', 'run'], folder),
  )
}
