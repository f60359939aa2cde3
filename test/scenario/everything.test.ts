import { expect, it } from 'vitest'
import { everything } from '../../scripts/value-classes.ts'
import { tableNames } from '../../src/resources/all-tables.ts'
import type { TableName } from '../../src/resources/all-tables.ts'
import { findListLengths } from '../../scripts/list-lengths.ts'
import { expectNoViolations } from '../support/invariants.ts'
import { createFreshSandbox, sendAsOwner } from '../support/client.ts'
import { readShippedScenarios } from '../../scripts/generate-scenarios.ts'

it('has each kind of value in the listed record', async () => {
  const { db } = await createFreshSandbox('everything')
  const written = readShippedScenarios().find(({ name }) => name === 'everything')?.records ?? {}
  for (const { what, table, id, fields } of everything) {
    const row = db[table as TableName].get(id as never) as
      | Readonly<Record<string, unknown>>
      | undefined
    const record = written[table as keyof typeof written]?.find(
      (each) => String(each['id']) === String(id),
    )
    const shown = Object.fromEntries(
      fields
        .filter((field) => record?.[field] !== undefined)
        .map((field) => [field, record?.[field]]),
    )
    expect({ what, isThere: row !== undefined && record !== undefined }).toEqual({
      what,
      isThere: true,
    })
    expect({ what, ...row }).toMatchObject({ what, ...shown })
  }
})

it('shows its values to clients', async () => {
  const sandbox = await createFreshSandbox('everything')

  expect((await sendAsOwner(sandbox, 'GET', '/v1/410000001/posts')).status).toBe(424)
  const { body } = await sendAsOwner(sandbox, 'GET', '/v1/410000000/posts?limit=100')
  const list: Record<string, unknown>[] = body.data.list
  expect(list.filter(({ canDelete }) => canDelete === false)).toHaveLength(1)
  expect(list.map(({ mediaCount }) => mediaCount)).toContain(20)
  for (const [method, field, sent] of [
    ['DELETE', 'canDelete', undefined],
    ['PUT', 'canEdit', { text: 'Other' }],
  ] as const) {
    const locked = list.find((post) => post[field] === false)
    const path = `/v1/410000000/posts/${String(locked?.['id'])}`
    const { status } = await sendAsOwner(sandbox, method, path, sent)
    expect({ method, status }).toEqual({ method, status: 403 })
  }
  expectNoViolations(sandbox)
})

it('has lists with no rows, one row, a full page, and one row more than that', async () => {
  const lengths = await findListLengths()

  expect(lengths.length).toBeGreaterThan(20)
  for (const { list, limit, paths } of lengths)
    expect({ list, rows: [...paths.keys()].toSorted((a, b) => a - b) }).toEqual({
      list,
      rows: [0, 1, limit, limit + 1],
    })
})

it('has a record in each table, except those that only requests fill, and two others', async () => {
  const { db } = await createFreshSandbox('everything')
  const ofRequests = ['removedPosts', 'postDays', 'vaultListOrders', 'uploads']

  expect(tableNames.filter((name) => db[name].all().length === 0).toSorted()).toEqual(
    [...ofRequests, 'promotionClaims', 'stories'].toSorted(),
  )
})
