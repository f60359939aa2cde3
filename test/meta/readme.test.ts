import { existsSync, readFileSync } from 'node:fs'
import { createSandbox } from 'creator-api-sandbox'
import { handlers, strict } from 'creator-api-sandbox/msw'
import { setupServer } from 'msw/node'
import { expect, it } from 'vitest'
import { serveFlags } from '../../src/cli/flags.ts'
import { actions } from '../../src/control/actions/index.ts'
import { controlRoutes } from '../../src/control/routes.ts'
import { shippedScenarios } from '../../src/generated/scenario-index.ts'

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')

it('names every action, flag and shipped scenario', () => {
  for (const { type } of actions) expect(readme).toContain(`\`${type}\``)
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

it('shows a first test that works as it stands', async () => {
  const [, snippet = ''] = /```ts\n([\s\S]*?)```/.exec(readme) ?? []
  const body = snippet.replace(/^import .*$/gm, '').replace('const response =', 'return')
  const run = new Function('createSandbox', 'handlers', 'strict', 'setupServer', `return (async () => { ${body.replace('const server', 'const server = globalThis.readmeServer')} })()`)
  const response = (await run(createSandbox, handlers, strict, setupServer)) as Response
  ;(globalThis as { readmeServer?: { close: () => void } }).readmeServer?.close()
  expect(response.status).toBe(200)
})
