import type { Scenario } from 'creator-api-sandbox'

/** A scenario with one small account, for tests to extend. */
export const solo: Scenario = {
  name: 'mine',
  now: '2026-10-01T09:30:00Z',
  organisations: [
    {
      name: 'Mine',
      roles: { owner: ['*'] },
      accounts: [{ id: 7, username: 'me', name: 'Me', data: { posts: 3, fans: 5 } }],
    },
  ],
}
