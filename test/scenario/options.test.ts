import { createSandbox } from 'creator-api-sandbox'
import type { SandboxOptions, Scenario } from 'creator-api-sandbox'
import { expect, it } from 'vitest'
import { createFreshSandbox } from '../support/client.ts'

const mine: Scenario = {
  name: 'mine',
  now: '2026-10-01T09:30:00Z',
  organisations: [
    {
      name: 'Mine',
      roles: { owner: ['*'] },
      accounts: [{ id: 7, username: 'me', name: 'Me', data: { posts: 3, fans: 5 } }],
    },
  ],
  timeline: [
    { at: '5s', chapter: 'One', do: { type: 'tip', account_id: 7, amount: 5 } },
    {
      at: '10s',
      do: [
        { type: 'session.lapse', account_id: 7 },
        { type: 'note', text: 'Gone.' },
      ],
    },
    { at: '20s' },
  ],
}

it('finds a scenario of the option library by name, at the start and later', async () => {
  const sandbox = await createFreshSandbox('mine', { library: [mine] })
  expect(sandbox.control.state().scenario).toBe('mine')
  await sandbox.control.loadScenario({ name: 'empty' })
  await sandbox.control.loadScenario({ name: 'mine' })
  expect(sandbox.control.state().scenario).toBe('mine')
  expect(() => createSandbox({ scenario: 'other', library: [mine] })).toThrow('Use one of mine, ')
})

it.each([
  [
    { scenario: 42 },
    '(scenario: 42): it must be the name of a shipped scenario, the path of a YAML file, or a ' +
      'scenario as an object',
  ],
  [
    { scenario: { ...mine, now: 'noon' } },
    '(scenario.now: "noon"): it must be an RFC 3339 time from 2004 to 2286',
  ],
  [
    { scenario: 'name: mine\nnow: 2026-10-01T09:30:00Z' },
    'it does not exist. Use one of agency-morning, ',
  ],
  [{ scenario: 'name: mine\n' }, 'To load YAML, call sandbox.control.loadScenario({ yaml })'],
  [{ library: [mine, 'solo'] }, '(library[1]: "solo"): it must be of type object'],
  [{ rate: 2 }, "(rate: 2): the clock is frozen, so the rate has no effect. Add clock: 'running'"],
  [{ clock: 'runing' }, 'it must be one of frozen, running (did you mean running?)'],
  [{ rate: 0, clock: 'running' }, '(rate: 0): it must be more than 0'],
  [{ sed: 3 }, '(sed: 3): there is no such field. Allowed: scenario, library, data, baseUrl, seed'],
  [
    { data: { comments: 5 } },
    '(data.comments: 5): it must be one of spread, or it must be of type array',
  ],
  [{ data: { comments: [1, 'x'] } }, '(data.comments[1]: "x"): it must be of type number'],
  [
    { data: { post: 5 } },
    '(data.post: 5): there is no such field. Allowed: texts, equalTimes, posts, scheduledPosts',
  ],
  [
    { baseUrl: 'api.example.test' },
    '(baseUrl: "api.example.test"): it must be an http or https URL',
  ],
  [5, 'Failed to create the sandbox (5): it must be of type object'],
])(
  'rejects the options %j, naming the field, the value and the allowed values',
  (options, text) => {
    expect(() => createSandbox(options as SandboxOptions)).toThrow(text)
  },
)
