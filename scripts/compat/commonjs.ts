import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createProject, installPackages, runCheck, runCommand } from '../npm-project.ts'

/** Source code of an example file in a CommonJS project. */
const consumer = `
import { createSandbox } from 'creator-api-sandbox'
import type { Sandbox, SandboxOptions } from 'creator-api-sandbox'
import { createApp } from 'creator-api-sandbox/express'
import { createFetch } from 'creator-api-sandbox/fetch'
import { handlers, strict } from 'creator-api-sandbox/msw'
import { setupServer } from 'msw/node'

const options: SandboxOptions = { baseUrl: 'https://api.example.test', scenario: 'solo' }
const sandbox: Sandbox = createSandbox(options)
const server = setupServer(...handlers(sandbox))
async function main(): Promise<void> {
  server.listen(strict)
  createApp(sandbox)
  const { status } = await createFetch(sandbox)('https://api.example.test/health')
  const answer: Response = await fetch('https://api.example.test/health')
  server.close()
  if (status !== 200 || answer.status !== 200) throw new Error(String(status) + ' and ' + String(answer.status))
}
main().catch((error: unknown) => {
  console.error(error)
  process.exitCode = 1
})
`

/**
 * MSW versions to test, each with a Node.js version that it supports and a TypeScript module
 * resolution. MSW 3 is ESM-only.
 */
const set = [
  {
    msw: 'msw@2',
    node: 'node@20.19',
    modules: [
      ['commonjs', 'node10'],
      ['node16', 'node16'],
      ['nodenext', 'nodenext'],
    ],
  },
  { msw: 'msw@3', node: 'node@24', modules: [['nodenext', 'nodenext']] },
] as const

/** Compiles a CommonJS project against the packed package, and runs it. */
export async function checkCommonJs(tarball: string): Promise<void> {
  const projects = set.map(({ msw, node, modules }) => {
    const folder = createProject({ type: 'commonjs' })
    writeFileSync(join(folder, 'consumer.ts'), consumer)
    return {
      msw,
      modules,
      folder,
      done: installPackages(folder, tarball, msw, node, 'typescript@5.9', '@types/node@20'),
    }
  })
  await Promise.allSettled(projects.map(({ done }) => done))
  for (const { msw, modules, folder, done } of projects) {
    if (!(await runCheck(`commonjs: installs with ${msw}`, () => done))) continue
    const node = join(folder, 'node_modules/.bin/node')
    for (const [module, moduleResolution] of modules) {
      const compilerOptions = {
        strict: true,
        target: 'es2022',
        esModuleInterop: true,
        skipLibCheck: true,
        types: ['node'],
        module,
        moduleResolution,
      }
      writeFileSync(
        join(folder, 'tsconfig.json'),
        JSON.stringify({ compilerOptions, files: ['consumer.ts'] }),
      )
      await runCheck(
        `commonjs: TypeScript compiles under ${moduleResolution}, and it runs, with ${msw}`,
        async () => {
          await runCommand(node, ['node_modules/typescript/bin/tsc', '-p', '.'], folder)
          await runCommand(node, ['consumer.js'], folder)
        },
      )
    }
  }
}
