import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createProject, installPackages, packPackage } from '../scripts/npm-project.ts'
import { summariseTimes } from './measure.ts'
import type { Line } from './measure.ts'

const files = 30
const rounds = 3

/**
 * Compares two variants of 30 test files. In one, each test uses its own world. In the other, the
 * tests use hand-written handlers.
 */
export async function benchTestIsolation(): Promise<Line[]> {
  const folder = createProject()
  await installPackages(folder, await packPackage(), 'vitest@4.1', 'msw@2')
  writeFileSync(
    join(folder, 'kit.setup.ts'),
    "import { serveSandbox } from 'creator-api-sandbox/vitest/setup'\n\nexport default serveSandbox({ scenario: 'solo' })\n",
  )
  for (const [name, { config, head }] of Object.entries(ways)) {
    mkdirSync(join(folder, name))
    writeFileSync(
      join(folder, name, 'vitest.config.ts'),
      `export default { root: import.meta.dirname, test: { ${config} } }\n`,
    )
    for (let number = 1; number <= files; number += 1)
      writeFileSync(join(folder, name, `${number}.test.ts`), `${head}${tests}`)
  }
  const seconds: Record<keyof typeof ways, number[]> = { kit: [], byHand: [] }
  for (let round = 0; round < rounds; round += 1)
    for (const name of ['kit', 'byHand'] as const)
      seconds[name].push(measureCpuSeconds(folder, name))
  const [kit, byHand] = [summariseTimes(seconds.kit).median, summariseTimes(seconds.byHand).median]
  return [
    {
      what: `${files} Vitest files with the kit / with hand-written handlers, CPU time`,
      measured: `${kit.toFixed(1)} s / ${byHand.toFixed(1)} s = ${(kit / byHand).toFixed(2)}`,
      budget: '<= 1.00',
      isKept: kit / byHand <= 1,
    },
  ]
}

/**
 * Runs the tests in a folder.
 * @returns the CPU time of all processes, s
 */
function measureCpuSeconds(folder: string, name: string): number {
  // The second line of `times` contains the CPU time of the child processes.
  const vitest = `node node_modules/vitest/vitest.mjs run --config ${name}/vitest.config.ts > ${name}.log 2>&1`
  const command = `${vitest} || { cat ${name}.log >&2; exit 1; }; times`
  const printed = execFileSync('sh', ['-c', command], { cwd: folder, encoding: 'utf8' })
  const parts = [...(printed.trim().split('\n')[1] ?? '').matchAll(/(\d+)m([\d.]+)s/g)]
  return parts.reduce((sum, [, minutes, rest]) => sum + Number(minutes) * 60 + Number(rest), 0)
}

/** The tests shared by both variants, which receive a URL, a key and an account. */
const tests = `
const ask = async ({ baseUrl, apiKey, accountId }, path) => {
  const response = await fetch(\`\${baseUrl}/v1/\${accountId}\${path}\`, { headers: { authorization: \`Bearer \${apiKey}\` } })
  return { status: response.status, body: await response.json() }
}

test('lists posts', async ({ api }) => {
  const { status, body } = await ask(api, '/posts?limit=5')
  expect(status).toBe(200)
  expect(body.data.list).toHaveLength(5)
})

test('lists chats', async ({ api }) => {
  const { body } = await ask(api, '/chats?limit=5')
  expect(body.data.list.length).toBeGreaterThan(0)
})

test('detects a lapsed session', async ({ api, lapse }) => {
  await lapse()
  expect((await ask(api, '/posts?limit=5')).status).toBe(424)
})
`

const ways = {
  kit: {
    config: "globalSetup: '../kit.setup.ts'",
    head: `import { test as base } from 'creator-api-sandbox/vitest'
import { expect } from 'vitest'

const test = base.extend({
  api: ({ world }, use) => use({ baseUrl: world.baseUrl, apiKey: world.keys.owner, accountId: world.accounts[0].id }),
  lapse: ({ world }, use) => use(() => world.act({ type: 'session.lapse' })),
})
`,
  },
  byHand: {
    config: '',
    head: `import { http, HttpResponse } from 'msw'
import { setupServer } from 'msw/node'
import { afterAll, afterEach, beforeAll, expect, test as base } from 'vitest'

const rows = Array.from({ length: 5 }, (_, id) => ({ id, text: 'A post', media: [], price: 0, likeCount: id }))
const answer = () => HttpResponse.json({ data: { list: rows }, _meta: {} })
const server = setupServer(http.get('https://api.example.test/v1/:account/posts', answer), http.get('https://api.example.test/v1/:account/chats', answer))
beforeAll(() => server.listen({ onUnhandledRequest: 'error' }))
afterEach(() => server.resetHandlers())
afterAll(() => server.close())

const test = base.extend({
  api: ({}, use) => use({ baseUrl: 'https://api.example.test', apiKey: 'key', accountId: 1 }),
  lapse: ({}, use) =>
    use(() => server.use(http.get('https://api.example.test/v1/:account/posts', () => HttpResponse.json({ error: 'It lapsed.' }, { status: 424 })))),
})
`,
  },
}
