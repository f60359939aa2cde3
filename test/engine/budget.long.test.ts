import { expect, it } from 'vitest'
import { openControl } from '../support/control.ts'

const small = (data: object) => ({
  name: 'small',
  now: '2026-10-01T09:00:00Z',
  organisations: [
    {
      name: 'Mine',
      roles: { owner: ['*'] },
      accounts: [{ id: 7, username: 'me', name: 'Me', data }],
    },
  ],
})
const budgetSentence = /budget of 16 MB .*--max-memory/

// What a second each takes; budget.test.ts refuses the rest.
it.each([
  ['a million posts', { posts: 1_000_000 }],
  ['a million media', { vaultMedia: 1_000_000 }],
  ['a million stories', { stories: 1_000_000 }],
])('refuses to seed %s, and says so', async (_, data) => {
  const { sandbox, ask } = await openControl({ options: { scenario: small({}), maxMemory: 16 } })
  const { budget } = sandbox
  const before = budget!.used
  const yaml = JSON.stringify(small(data))
  expect(await ask('PUT', '/_sandbox/scenario', { body: { yaml } })).toMatchObject({
    status: 507,
    body: { error: expect.stringMatching(budgetSentence) },
  })
  expect(budget!.used).toBe(before)
  expect(await ask('GET', '/_sandbox/state')).toMatchObject({
    status: 200,
    body: { scenario: 'small' },
  })
})
