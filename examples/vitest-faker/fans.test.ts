import { fileURLToPath } from 'node:url'
import { createSandbox } from 'creator-api-sandbox'
import { createFaker } from 'creator-api-sandbox/faker'
import { beforeAll, beforeEach, expect, it } from 'vitest'

const scenario = fileURLToPath(new URL('fans.yaml', import.meta.url))
const sandbox = createSandbox({ scenario })

beforeAll(() => sandbox.ready)
beforeEach(() => sandbox.reset())

it('has twelve fans with their own names', () => {
  expect(new Set(sandbox.db.fans.all().map(({ name }) => name)).size).toBe(12)
})

it('publishes a post with an invented dish', async () => {
  await sandbox.play()
  expect(sandbox.db.posts.all()[0]?.text).toMatch(/Today: \w/)
})

it('makes the same fan in each run', async () => {
  const faker = await createFaker(sandbox, { locale: 'de' })
  const first = sandbox.make.fan({ name: faker.person.fullName() })

  await sandbox.reset()
  expect(sandbox.make.fan({ name: faker.person.fullName() })).toEqual(first)
})
