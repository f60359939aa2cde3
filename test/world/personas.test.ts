import { createSandbox } from 'creator-api-sandbox'
import { expect, it } from 'vitest'
import { shippedPersonas } from '../../src/generated/persona-index.ts'
import { loadPersonas } from '../../src/world/personas.ts'
import { solo } from '../support/scenarios.ts'

const beekeeper = { trade: 'Beekeeper', voice: 'Slow', city: 'Bled', about: 'Forty hives.', topics: { hives: { pictures: ['bees'] } } }
const shipped = Object.keys(shippedPersonas)

it('gives an account the persona that it names, its own or one that comes with the package, and else one by its id', async () => {
  const names = { 1: { persona: 'beekeeper' }, 2: { persona: 'garden', about: 'Mine' }, [shipped.length * 5]: {} }
  const accounts = Object.entries(names).map(([id, named]) => ({ id: Number(id), username: `u${id}`, name: `U${id}`, ...named }))
  const sandbox = createSandbox({
    scenario: { ...solo, personas: { beekeeper }, organisations: [{ name: 'Mine', roles: { owner: ['*'] }, accounts }] },
  })
  await sandbox.ready
  const { default: first } = await shippedPersonas[shipped[0]!]!()
  expect(sandbox.db.accounts.all().map(({ persona, about }) => [persona, about])).toEqual([
    ['beekeeper', 'Forty hives.'],
    ['garden', 'Mine'],
    [shipped[0], first.about],
  ])
})

it('refuses a persona that is nobody, and names those that there are', async () => {
  const accounts = [{ id: 7, username: 'me', name: 'Me', persona: 'pirate' }]
  const sandbox = createSandbox({ scenario: { ...solo, organisations: [{ name: 'Mine', roles: {}, accounts }] } })
  await expect(sandbox.ready).rejects.toThrow(/Failed to load the scenario \(account me, persona pirate\).*Choose one of .*garden/)
})

it('loads no persona that no account has', async () => {
  const organisations = [{ accounts: [{ id: 1, username: 'me', persona: 'garden' }] }]
  expect(Object.keys(await loadPersonas({ organisations, personas: {} }))).toEqual(['garden'])
})
