import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { createSandbox } from 'creator-api-sandbox'
import { handlers, strict } from 'creator-api-sandbox/msw'
import { setupServer } from 'msw/node'
import { expect, it } from 'vitest'
import { serveFlags } from '../../src/cli/flags.ts'
import { actions } from '../../src/control/actions/index.ts'
import { controlRoutes } from '../../src/control/routes.ts'
import { shippedScenarios } from '../../src/generated/scenario-index.ts'
import { parseScenario } from '../../src/scenario/parse.ts'
import { serveProcess } from '../support/process.ts'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const readme = read('README.md')
/** The pages that users read. */
const pages = ['README.md', ...pagesOfDocs()]
/**
 * Those that show requests to the control plane, besides the ones that are generated from its
 * routes.
 */
const pagesWithRequests = [
  'README.md',
  'docs/console.md',
  'docs/docker.md',
  'docs/faces.md',
  'docs/server.md',
  'docs/stories.md',
  'docs/tour.md',
]

it('names every flag and shipped scenario, and actions that there are', () => {
  const [, named = ''] = /^\*\*Actions\*\*([^]*?)\n\n/m.exec(readme) ?? []
  const types = [...named.matchAll(/`([\w.]+)`/g)]
    .map(([, type]) => type)
    .filter((type) => type !== 'account_id')
  expect(types.length).toBeGreaterThan(3)
  expect(actions.map(({ type }) => type)).toEqual(expect.arrayContaining(types))
  for (const { usage } of Object.values(serveFlags))
    expect(readme).toContain(usage.split(' ', 1)[0])
  for (const { name } of shippedScenarios) expect(readme).toContain(`| \`${name}\``)
})

it('has at most 200 lines: what is more goes into docs/', () => {
  expect(readme.split('\n').length - 1).toBeLessThanOrEqual(200)
})

it('leads to every page of docs/', () => {
  expect(
    pagesOfDocs().filter(
      (page) =>
        !pages.some(
          (other) => other !== page && read(other).includes(page.split('/').at(-1) ?? ''),
        ),
    ),
  ).toEqual([])
})

it.each(pagesWithRequests)('names only routes of the control plane that exist: %s', (page) => {
  const paths = new Set(controlRoutes.map(({ path }) => path.split('/')[1]))
  for (const [, name] of read(page).matchAll(/\/_sandbox\/(\w+)/g)) expect(paths).toContain(name)
})

it.each(pages)('links only to files that exist: %s', (page) => {
  for (const [, path = ''] of read(page).matchAll(/\]\((?!https?:)([^)#]+)\)/g)) {
    expect([
      path,
      existsSync(new URL(`../../${page.replace(/[^/]*$/, '')}${path}`, import.meta.url)),
    ]).toEqual([path, true])
  }
})

it('takes a tour that works as pasted', async () => {
  const [, tour = ''] = /```sh\n([^]*?)```/.exec(read('docs/tour.md')) ?? []
  const { url, printed } = await serveProcess()
  expect(tour).toContain(/sk_sandbox_owner_\w+/.exec(printed)?.[0])
  const { stdout } = await promisify(execFile)('sh', [
    '-c',
    tour.replace('http://127.0.0.1:4010', url),
  ])
  const [sent, shown, claim, page, before, tip, after] = stdout.trim().split('\n')
  expect([sent, shown]).toEqual(['Hello from the tour', 'Hello from the tour'])
  expect(claim).toContain('Tour')
  expect(JSON.parse(page ?? '')).toMatchObject({
    name: 'Tour',
    label: 'For a partner',
    subscribers: 1,
  })
  expect(tip).toContain('tipped $50.00')
  expect(Number(after) - Number(before)).toBeGreaterThan(25)
})

it('shows a story of ten lines that is good and plays', async () => {
  const [, yaml = ''] = /```yaml\n([^]*?)```/.exec(read('docs/stories.md')) ?? []
  expect(yaml.trim().split('\n').length).toBeLessThanOrEqual(10)
  const sandbox = createSandbox({ scenario: await parseScenario(yaml, 'docs/stories.md') })
  await sandbox.ready
  expect(await sandbox.play()).toMatchObject({
    status: 'ended',
    chapter: 'All is well',
    problems: [],
  })
  expect(readme).toContain("play({ until: 'The session lapses' })")
  expect(shippedScenarios.find(({ name }) => name === 'bad-day')?.chapters).toContain(
    'The session lapses',
  )
})

it('shows a first test that works as it stands', async () => {
  const [, snippet = ''] = /```ts\n([\s\S]*?)```/.exec(readme) ?? []
  const body = snippet.replace(/^import .*$/gm, '').replace('const response =', 'return')
  const run = new Function(
    'createSandbox',
    'handlers',
    'strict',
    'setupServer',
    `return (async () => { ${body.replace('const server', 'const server = globalThis.readmeServer')} })()`,
  )
  const response = (await run(createSandbox, handlers, strict, setupServer)) as Response
  ;(globalThis as { readmeServer?: { close: () => void } }).readmeServer?.close()
  delete (globalThis as { readmeServer?: unknown }).readmeServer
  expect(response.status).toBe(200)
})

function pagesOfDocs(): string[] {
  return readdirSync(new URL('../../docs/', import.meta.url))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`)
}
