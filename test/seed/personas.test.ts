import { createSandbox } from 'creator-api-sandbox'
import { expect, it } from 'vitest'
import { shippedPersonas } from '../../src/generated/persona-index.ts'
import { Persona } from '../../src/seed/persona.ts'
import { loadPersonas } from '../../src/seed/personas.ts'
import { solo } from '../support/scenarios.ts'

const beekeeper = {
  trade: 'Beekeeper',
  city: 'Bled',
  about: 'Forty hives.',
  topics: { hives: { pictures: ['bees'] } },
}
const shipped = Object.keys(shippedPersonas)

it('gives an account the named custom or shipped persona, or else one chosen by its id', async () => {
  const names = {
    1: { persona: 'beekeeper' },
    2: { persona: 'garden', about: 'Mine' },
    [shipped.length * 5]: {},
  }
  const accounts = Object.entries(names).map(([id, named]) => ({
    id: Number(id),
    username: `u${id}`,
    name: `U${id}`,
    ...named,
  }))
  const sandbox = createSandbox({
    scenario: {
      ...solo,
      personas: { beekeeper },
      organisations: [{ name: 'Mine', roles: { owner: ['*'] }, accounts }],
    },
  })
  await sandbox.ready
  const { default: first } = await shippedPersonas[shipped[0]!]!()
  expect(sandbox.db.accounts.all().map(({ persona, about }) => [persona, about])).toEqual([
    ['beekeeper', 'Forty hives.'],
    ['garden', 'Mine'],
    [shipped[0], first.about],
  ])
})

it.each(shipped)('the texts of %s contain no conditions such as (!winter)', async (name) => {
  const { default: persona } = await shippedPersonas[name]!()
  const conditions = /\(!?(?:spring|summer|autumn|winter|[a-z]{3}(?:, [a-z]{3})+)[^)]*\)/g
  expect(JSON.stringify(persona).match(conditions)).toBeNull()
})

it('takes names from the persona if a scenario gives only numbers, and numbers the rest', async () => {
  const data = {
    fans: 2,
    posts: 12,
    labels: 2,
    vaultLists: 2,
    userLists: [{}, { name: 'Mine' }],
    trackingLinks: [{}, {}],
    trialLinks: [{ ended: 'finished' as const }],
    promotions: [{}, { message: '' }],
  }
  const names = {
    labels: { Honey: ['hives'] },
    vaultLists: ['Smoke'],
    userLists: ['Neighbours'],
    campaigns: ['Jar'],
    offers: ['A month of honey'],
  }
  const account = { id: 1, username: 'me', name: 'Me', persona: 'beekeeper', data }
  const sandbox = createSandbox({
    scenario: {
      ...solo,
      personas: { beekeeper: { ...beekeeper, names } },
      organisations: [{ name: 'Mine', roles: { owner: ['*'] }, accounts: [account] }],
    },
  })
  await sandbox.ready
  const { postLabels, vaultLists, userLists, trackingLinks, trialLinks, promotions, posts } =
    sandbox.db
  const labels = postLabels.all()
  expect(labels.map(({ name }) => name)).toEqual(['Honey', 'Label 2'])
  expect(vaultLists.where({ type: 'custom' }).map(({ name }) => name)).toEqual(['Smoke', 'List 2'])
  expect(userLists.all().map(({ name }) => name)).toEqual(['Neighbours', 'Mine'])
  expect(trackingLinks.all().map(({ campaignName }) => campaignName)).toEqual(['Jar', 'Link 2'])
  expect(trialLinks.all().map(({ trialLinkName }) => trialLinkName)).toEqual(['Link 1'])
  expect(promotions.all().map(({ message }) => message)).toEqual(['A month of honey', ''])
  expect(posts.all().filter((post) => post.labels.includes(labels[0]!.id)).length).toBeGreaterThan(
    6,
  )
})

it('rejects a label of a topic that the creator does not have', () => {
  const result = Persona.safeParse({ ...beekeeper, names: { labels: { Honey: ['wax'] } } })
  expect(result.error?.issues).toMatchObject([
    { path: ['names', 'labels', 'Honey'], message: 'there is no topic wax' },
  ])
})

it('rejects an unknown persona, and names the existing ones', async () => {
  const accounts = [{ id: 7, username: 'me', name: 'Me', persona: 'pirate' }]
  const sandbox = createSandbox({
    scenario: { ...solo, organisations: [{ name: 'Mine', roles: {}, accounts }] },
  })
  await expect(sandbox.ready).rejects.toThrow(
    /Failed to load the scenario \(account me, persona pirate\).*Choose one of .*garden/,
  )
})

it('loads only the personas of the accounts', async () => {
  const organisations = [{ accounts: [{ id: 1, username: 'me', persona: 'garden' }] }]
  expect(Object.keys(await loadPersonas({ organisations, personas: {} }))).toEqual(['garden'])
})
