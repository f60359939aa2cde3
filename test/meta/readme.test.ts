import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createSandbox } from 'creator-api-sandbox'
import { handlers, strict } from 'creator-api-sandbox/msw'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { setupServer } from 'msw/node'
import { expect, it, onTestFinished } from 'vitest'
import { serveFlags } from '../../src/cli/flags.ts'
import { actions } from '../../src/control/actions/index.ts'
import { controlRoutes } from '../../src/control/routes.ts'
import { shippedScenarios } from '../../src/generated/scenario-index.ts'
import { parseScenario } from '../../src/scenario/parse.ts'
import { serveProcess } from '../support/process.ts'

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')

it('names every flag and shipped scenario, and actions that there are', () => {
  const [, named = ''] = /^\*\*Actions\*\*([^]*?)\n\n/m.exec(readme) ?? []
  const types = [...named.matchAll(/`([\w.]+)`/g)].map(([, type]) => type).filter((type) => type !== 'account_id')
  expect(types.length).toBeGreaterThan(3)
  expect(actions.map(({ type }) => type)).toEqual(expect.arrayContaining(types))
  for (const { usage } of Object.values(serveFlags)) expect(readme).toContain(usage.split(' ', 1)[0])
  for (const { name } of shippedScenarios) expect(readme).toContain(`| \`${name}\``)
})

it('names only routes of the control plane that exist', () => {
  const paths = new Set(controlRoutes.map(({ path }) => path.split('/')[1]))
  for (const [, name] of readme.matchAll(/\/_sandbox\/(\w+)/g)) expect(paths).toContain(name)
})

it('links only to files that exist', () => {
  for (const [, path = ''] of readme.matchAll(/\]\((?!https?:)([^)#]+)\)/g)) {
    expect([path, existsSync(new URL(`../../${path}`, import.meta.url))]).toEqual([path, true])
  }
})

it('takes a tour that works as pasted', async () => {
  const [, tour = ''] = /## A tour[^]*?```sh\n([^]*?)```/.exec(readme) ?? []
  const { url, printed } = await serveProcess()
  expect(tour).toContain(/sk_sandbox_owner_\w+/.exec(printed)?.[0])
  const { stdout } = await promisify(execFile)('sh', ['-c', tour.replace('http://127.0.0.1:4010', url)])
  const [sent, shown, claim, page, before, tip, after] = stdout.trim().split('\n')
  expect([sent, shown]).toEqual(['Hello from the tour', 'Hello from the tour'])
  expect(claim).toContain('Tour')
  expect(JSON.parse(page ?? '')).toMatchObject({ name: 'Tour', label: 'For a partner', subscribers: 1 })
  expect(tip).toContain('tipped $50.00')
  expect(Number(after) - Number(before)).toBeGreaterThan(30)
})

it('shows a story of ten lines that is good and plays', async () => {
  const [, yaml = ''] = /```yaml\n([^]*?)```/.exec(readme) ?? []
  expect(yaml.trim().split('\n').length).toBeLessThanOrEqual(10)
  const sandbox = createSandbox({ scenario: await parseScenario(yaml, 'README.md') })
  await sandbox.ready
  expect(await sandbox.play()).toMatchObject({ status: 'ended', chapter: 'All is well', problems: [] })
  expect(readme).toContain("play({ until: 'The session lapses' })")
  expect(shippedScenarios.find(({ name }) => name === 'bad-day')?.chapters).toContain('The session lapses')
})

it('shows a first test that works as it stands', async () => {
  const [, snippet = ''] = /```ts\n([\s\S]*?)```/.exec(readme) ?? []
  const body = snippet.replace(/^import .*$/gm, '').replace('const response =', 'return')
  const run = new Function('createSandbox', 'handlers', 'strict', 'setupServer', `return (async () => { ${body.replace('const server', 'const server = globalThis.readmeServer')} })()`)
  const response = (await run(createSandbox, handlers, strict, setupServer)) as Response
  ;(globalThis as { readmeServer?: { close: () => void } }).readmeServer?.close()
  expect(response.status).toBe(200)
})

it('shows TypeScript that a strict compiler takes', async () => {
  const root = fileURLToPath(new URL('../../', import.meta.url))
  mkdirSync(join(root, 'node_modules/.cache'), { recursive: true })
  // Within the project, so that the packages that the snippets import are found.
  const folder = mkdtempSync(join(root, 'node_modules/.cache/readme-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const snippets = [...readme.matchAll(/```ts\n([^]*?)```/g)].map(([, snippet = '']) => snippet)
  const files = snippets.map((snippet, index) => {
    writeFileSync(join(folder, `snippet-${index}.ts`), `export {}\n${declare(snippet)}${snippet}`)
    return `snippet-${index}.ts`
  })
  writeFileSync(join(folder, 'schema.d.ts'), readFileSync(join(root, 'examples/typed-client/schema.d.ts')))
  const compilerOptions = { noEmit: true, types: ['node'], noUnusedLocals: false, paths: pathsFrom(root) }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ extends: join(root, 'tsconfig.json'), compilerOptions, include: [], exclude: [], files }))
  expect(files.length).toBeGreaterThan(4)
  const compiled = await promisify(execFile)(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder]).catch((error: { stdout: string }) => error)
  expect(compiled.stdout).toBe('')
}, 120_000)

/** What the text around a snippet has said before: each name that it uses and does not bring along. */
function declare(snippet: string): string {
  const types = {
    sandbox: "import('creator-api-sandbox').Sandbox",
    server: "ReturnType<typeof import('msw/node').setupServer>",
    account_id: 'number',
    key: 'string',
  }
  const missing = Object.entries(types).filter(([name]) => new RegExp(`\\b${name}\\b`).test(snippet) && !new RegExp(`const ${name}\\b`).test(snippet))
  return missing.map(([name, type]) => `declare const ${name}: ${type}\n`).join('')
}

/** The sources under the names of the package, as in tsconfig.json, which another folder cannot take them from. */
function pathsFrom(root: string): Record<string, string[]> {
  const sources = { '': 'index', '/msw': 'adapters/msw', '/express': 'adapters/express', '/fetch': 'adapters/fetch' }
  return Object.fromEntries(Object.entries(sources).map(([name, file]) => [`creator-api-sandbox${name}`, [join(root, `src/${file}.ts`)]]))
}
