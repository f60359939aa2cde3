import { expect, it } from 'vitest'
import { routes } from '../../src/resources/all-resources.ts'
import { openControlClient } from '../support/control.ts'
import { generateLargeBodies, largeValues } from '../support/large-bodies.ts'

const isLong = process.env['LONG_TESTS'] === '1'
const writing = routes.filter(({ body, fileLimit }) => body !== null && fileLimit === undefined)
/** Routes with different kinds of bodies: strings and lists, a map, and a list. */
const kinds = [
  'POST /v1/:account_id/posts',
  'POST /v1/fans',
  'PATCH /v1/:account_id/notifications/settings',
  'PUT /v1/:account_id/notifications/tabs-order',
]
const tried = isLong ? writing : writing.filter(({ id }) => kinds.includes(id))

it('rejects a body of 1 MiB in any field of a route, with a short message', async () => {
  const { sandbox, ask } = await openControlClient({ scenario: 'agency' })
  const account = sandbox.db.accounts.find({ connected: true })!.id
  const headers = { 'x-api-key': sandbox.keys['owner'] }
  for (const { id, method, path, body: schema } of tried) {
    const url = path.replace(':account_id', String(account)).replace(/:\w+/g, '1')
    for (const body of generateLargeBodies({ body: schema }, isLong ? Infinity : 2)) {
      const { status, body: answer } = await ask(method, url, { headers, body })
      expect([id, status < 500]).toEqual([id, true])
      if (status >= 400) expect(answer.error.length).toBeLessThan(2_000)
    }
    sandbox.control.clearRequests()
  }
})

it.each(largeValues)('rejects %.20s on the control plane with a short message', async (value) => {
  const { ask } = await openControlClient()
  for (const [method, path] of [
    ['POST', '/_sandbox/actions'],
    ['POST', '/_sandbox/faults'],
    ['POST', '/_sandbox/clock'],
    ['POST', '/_sandbox/replay'],
    ['PUT', '/_sandbox/snapshot'],
    ['PUT', '/_sandbox/scenario'],
  ] as const) {
    const bodies = [
      value,
      `{"name":${value}}`,
      `{"route":${value}}`,
      `{"type":"note","text":${value}}`,
      `{"version":1,"tables":${value}}`,
    ]
    for (const body of isLong ? bodies : bodies.slice(0, 2)) {
      const { status, body: answer } = await ask(method, path, { body })
      expect([path, status]).toEqual([path, 400])
      expect(answer.error.length).toBeLessThan(2_000)
    }
  }
})
