import { beforeAll, expect, it } from '@jest/globals'
import { createSandbox, SandboxError } from 'creator-api-sandbox'
import type { Sandbox } from 'creator-api-sandbox'

let sandbox: Sandbox

beforeAll(async () => {
  sandbox = createSandbox({ baseUrl: 'https://api.example.test', scenario: 'solo' })
  await sandbox.ready
})

it('handles requests', async () => {
  const [account] = sandbox.db.accounts.all()
  const response = await sandbox.fetch(`https://api.example.test/v1/${account?.id}/posts?limit=3`, {
    headers: { authorization: `Bearer ${sandbox.keys.owner}` },
  })

  expect(response.status).toBe(200)
  expect(await response.json()).toMatchObject({ data: { list: [{}, {}, {}] } })
})

it('accepts writes and actions', async () => {
  const [account] = sandbox.db.accounts.all()
  const before = sandbox.db.transactions.size
  const { ids } = sandbox.act({ type: 'tip', account_id: account?.id, amount: 20 })
  const response = await sandbox.fetch(
    `https://api.example.test/v1/${account?.id}/tracking-links`,
    {
      method: 'POST',
      headers: {
        authorization: `Bearer ${sandbox.keys.owner}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ name: 'Grüße' }),
    },
  )

  expect(sandbox.db.transactions.size).toBe(before + 1)
  expect(sandbox.db.transactions.get(ids.transaction)?.amount).toBe(20)
  expect(response.status).toBe(200)
  expect(await sandbox.fetch('https://api.example.test/health').then(({ status }) => status)).toBe(
    200,
  )
})

it('parses scenarios in YAML, resets, and forks', async () => {
  const fork = sandbox.fork()
  await fork.control.loadScenario({ yaml: 'extends: solo\nname: mine\nseed: 3\n' })
  await fork.restore(sandbox.snapshot())

  expect(fork.db.posts.size).toBe(sandbox.db.posts.size)
})

it('throws its own errors', () => {
  expect(() => createSandbox({ seed: 0.5 })).toThrow(SandboxError)
})

it('names the cure for a locale that only exists as an ES module', async () => {
  const scenario = {
    name: 'czech',
    locale: 'cs_CZ' as const,
    now: '2026-10-01T09:30:00Z',
    organisations: [
      {
        name: 'Agency',
        roles: { owner: ['*' as const] },
        accounts: [{ id: 7, username: 'anna', name: '{{person.fullName}}' }],
      },
    ],
  }
  const ready = createSandbox({ scenario }).ready

  await expect(ready).rejects.toThrow(/locale cs_CZ[^]*transformIgnorePatterns/)
})
