import { createSandbox } from 'creator-api-sandbox'
import { expect, it } from 'vitest'
import { parseScenario } from '../../src/scenario/parse.ts'
import { runInProcess } from '../support/command.ts'
import { openControlClient } from '../support/control.ts'
import { createFreshSandbox, openClient, sendAsOwner } from '../support/client.ts'

const account = 100_200_300
/** Names of properties that all objects inherit. */
const names = ['constructor', 'toString', '__proto__', 'hasOwnProperty'] as const
const each = it.each([...names])
/** Excludes `__proto__`, which the schema library drops. */
const eachKept = it.each(names.filter((name) => name !== '__proto__'))

each('finds no persona %s', async (name) => {
  const sandbox = createSandbox({
    scenario: await parseScenario(
      `{ extends: solo, name: own, organisations: [{ name: A, roles: { owner: ['*'] }, accounts: [{ id: 1, username: a, name: A, persona: ${name} }] }] }`,
      'own.yaml',
    ),
  })
  await expect(sandbox.ready).rejects.toThrow(`persona ${name}): this persona does not exist`)
})

each('finds no environment variable %s', async (name) => {
  const { stderr } = await runInProcess('verify', '--live', 'http://127.0.0.1:9', '--key-env', name)
  expect(stderr).toContain('the environment variable is not set')
})

eachKept('has no table, action, parameter or field of a scenario %s', async (name) => {
  const { ask } = await openControlClient()
  const json = `{"${name}":1}`
  const statuses = [
    await ask('GET', `/_sandbox/data/${name}`),
    await ask('POST', `/_sandbox/data/${name}`, { body: '{}' }),
    await ask('POST', '/_sandbox/data/tags', { body: `{"name":"a","${name}":1}` }),
    await ask('GET', `/_sandbox/data/tags?${name}=1`),
    await ask('POST', '/_sandbox/actions', { body: `{"type":"${name}"}` }),
    await ask('POST', '/_sandbox/actions', { body: `{"type":"tip","${name}":1}` }),
    await ask('GET', `/_sandbox/state?${name}=1`),
    await ask('POST', '/_sandbox/faults', { body: `{"status":500,"${name}":1}` }),
    await ask('PUT', '/_sandbox/scenario', { body: JSON.stringify({ name }) }),
    await ask('PUT', '/_sandbox/scenario', {
      body: JSON.stringify({ yaml: `extends: solo\nname: own\n"${name}": 1` }),
    }),
    await ask('PUT', '/_sandbox/scenario', {
      body: JSON.stringify({
        yaml: `extends: solo\nname: own\nrecords:\n  ${name}:\n    - {"id":1}`,
      }),
    }),
    await ask('PUT', '/_sandbox/scenario', { body: json }),
  ].map(({ status }) => status)
  expect(statuses.filter((status) => status !== 400 && status !== 404)).toEqual([])
})

eachKept('reports the ignored parameter and field %s', async (name) => {
  const { sandbox, get, post } = await openClient()
  await get(`/v1/${account}/posts?${name}=1`)
  await post(`/v1/${account}/vault/lists`, `{"name":"a","${name}":1}`)
  for (const { status, ignored } of sandbox.requests)
    expect([status, ignored.map((one) => one.name)]).toEqual([200, [name]])
  expect(sandbox.received({ query: { [name]: 1 } })).toHaveLength(1)
  expect(sandbox.received({ query: { limit: 1, [name]: 1 } })).toHaveLength(0)
})

eachKept('applies a fault only to requests with the parameter %s', async (name) => {
  const { ask, get } = await openControlClient()
  await ask('POST', '/_sandbox/faults', { body: `{"status":503,"query":{"${name}":"1"}}` })
  expect((await get('/v1/tags')).status).toBe(200)
})

eachKept('accepts an overlay with a parameter and fields named %s', async (name) => {
  const sandbox = await createFreshSandbox('solo', {
    overlay: {
      routes: {
        'GET /v1/:account_id/posts': {
          query: { '$.limit': { rename: name } },
          answer: { '$.list[*].text': { rename: name } },
        },
      },
    },
  })
  const { body } = await sendAsOwner(sandbox, 'GET', `/v1/${account}/posts?${name}=2`)
  const { list } = body.data
  expect([list.length, Object.hasOwn(list[0], name)]).toEqual([2, true])
})
