import { readFileSync, readdirSync } from 'node:fs'
import { expect, it } from 'vitest'

const clients = new URL('../compat/clients/', import.meta.url)
const page = readFileSync(new URL('../../docs/clients.md', import.meta.url), 'utf8')
const read = (path: string) => readFileSync(new URL(path, clients), 'utf8')
const names = readdirSync(clients, { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() && entry.name !== 'lint' ? [entry.name] : [],
)

it.each(names)('shows the tested commands of %s', (name) => {
  const { scripts, dependencies } = JSON.parse(read(`${name}/package.json`)) as Record<
    string,
    Record<string, string>
  >
  const tried = Object.entries(dependencies ?? {}).filter(
    ([dependency]) => !/^typescript$|^@kubb\/(?!core)/.test(dependency),
  )

  expect(page).toContain(
    `npx ${scripts?.['generate']?.replace('$SANDBOX_URL', 'http://127.0.0.1:4010')}`,
  )
  expect(
    tried.filter(([dependency, version]) => !page.includes(`\`${dependency}@${version}\``)),
  ).toEqual([])
})

it.each(['orval/orval.config.mjs', 'kubb/kubb.config.mjs'])('shows %s as it is tested', (path) => {
  const asUsersHaveIt = read(path)
    .replace(/^const url = .*\n\n/m, '')
    .replace(/^ *\/\/ .*\n/gm, '')
    .replaceAll('`${url}/openapi.json`', "'http://127.0.0.1:4010/openapi.json'")
    .replace(/(baseUrl|baseURL): url/, "$1: 'http://127.0.0.1:4010'")

  expect(page).toContain(asUsersHaveIt)
})
