import type { Sandbox } from 'creator-api-sandbox'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { expectNoViolations, expectValidRecords } from '../support/invariants.ts'
import { createFreshSandbox } from '../support/client.ts'
import { createUnlimitedSandbox } from '../support/owner-requests.ts'
import { generateRandomRequests, parseReply, sendRandomRequest } from '../support/requests.ts'
import { getRunOptions } from '../support/run-options.ts'

/** Returns all records by table. If the references are equal, no record has changed. */
const recordsOf = ({ db }: Sandbox) =>
  Object.entries(db).map(([name, table]) => [name, table.all()] as const)

it('never returns 500 or a response that is not JSON, for any request', async () => {
  const sandbox = await createUnlimitedSandbox('solo')
  await fc.assert(
    fc.asyncProperty(generateRandomRequests(sandbox), async (request) => {
      const reply = await sendRandomRequest(sandbox, request)
      expect(reply.status).toBeLessThan(500)
      if (reply.status >= 400) expect(Object.keys(parseReply<object>(reply))).toEqual(['error'])
    }),
    getRunOptions(600, 20000),
  )
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  expectNoViolations(sandbox)
  expectValidRecords(sandbox)
})

it('changes nothing on a GET request or if it returns 4xx', async () => {
  const sandbox = await createUnlimitedSandbox('solo')
  await fc.assert(
    fc.asyncProperty(generateRandomRequests(sandbox), async (request) => {
      const before = recordsOf(sandbox)
      const { status } = await sendRandomRequest(sandbox, request)
      fc.pre(status >= 400 || request.method === 'GET')
      for (const [index, [name, rows]] of recordsOf(sandbox).entries()) {
        const earlier = before[index]?.[1] ?? []
        expect([name, rows.length]).toEqual([name, earlier.length])
        expect(rows.every((row, place) => row === earlier[place])).toBe(true)
      }
    }),
    { ...getRunOptions(120, 4000), maxSkipsPerRun: 1000 },
  )
})

it('returns the same bytes with the same seed, and different ones with another seed', async () => {
  const create = (seed?: number) => createFreshSandbox('solo', { seed })
  const [one, two, other] = await Promise.all([create(), create(), create(99)])
  const feed = {
    method: 'GET',
    url: `/v1/${one.db.accounts.all()[0]!.id}/posts`,
    body: null,
    contentType: null,
  }
  await fc.assert(
    fc.asyncProperty(
      fc.array(generateRandomRequests(one), { minLength: 5, maxLength: 30 }),
      async (requests) => {
        for (const request of requests)
          expect(await sendRandomRequest(two, request)).toEqual(
            await sendRandomRequest(one, request),
          )
      },
    ),
    getRunOptions(5, 100),
  )
  expect(await sendRandomRequest(other, feed)).not.toEqual(await sendRandomRequest(one, feed))
})
