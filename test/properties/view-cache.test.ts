import type { Sandbox } from 'creator-api-sandbox'
import { SandboxError } from 'creator-api-sandbox'
import fc from 'fast-check'
import { it } from 'vitest'
import { z } from 'zod'
import { routes } from '../../src/resources/all-resources.ts'
import { factories } from '../../src/resources/factories.ts'
import { getAnyTable } from '../support/any-table.ts'
import type { AnyRow } from '../support/any-table.ts'
import { sendAsOwner } from '../support/client.ts'
import { createUnlimitedSandbox } from '../support/owner-requests.ts'
import { generateActions } from '../support/random-actions.ts'
import { getRunOptions } from '../support/run-options.ts'
import { expectSameText } from '../support/expectations.ts'
import { generateRandomRequests, getRecordIds, sendRandomRequest } from '../support/requests.ts'

/** Scenarios, and the account whose responses are compared. */
const scenarios = [
  ['solo', 100_200_300],
  ['everything', 410_000_000],
] as const

const place = fc.nat({ max: 1_000_000 })
const at = fc.integer({ min: -400, max: 0 }).map((days) => `${days - 1}d`)
const pick = <Value>(values: readonly Value[], index: number) => values[index % values.length]

/** Actions, new records, changed records and requests, which are made between two reads. */
function generateWrites(sandbox: Sandbox, account_id: number) {
  const durations = fc.constantFrom('1ms', '900ms', '90s', '7h', '31d')
  return fc.oneof(
    fc.record({
      act: fc.oneof(
        { arbitrary: generateActions(account_id), weight: 9 },
        fc.record({ type: fc.constant('clock.advance'), by: durations }),
      ),
    }),
    fc.record({ make: fc.constantFrom(...factories.kinds), place, at }),
    fc.record({
      table: fc.oneof(
        fc.constantFrom(...Object.keys(sandbox.db)),
        fc.constantFrom('transactions', 'subscriptions', 'messages', 'posts'),
      ),
      place,
      other: place,
      field: place,
      by: fc.constantFrom('edit', 'edit', 'move', 'move', 'empty', 'copy', 'remove'),
    }),
    fc.record({
      request: generateRandomRequests(sandbox).filter(({ method }) => method !== 'GET'),
    }),
  )
}

type Write = ReturnType<typeof generateWrites> extends fc.Arbitrary<infer Value> ? Value : never

/** A changed field gets the value of another record. A moved record gets one of its times. */
function applyWrite(sandbox: Sandbox, account: number, write: Write): unknown {
  if ('act' in write) return sandbox.act(write.act as Parameters<Sandbox['act']>[0])
  if ('request' in write) return sendRandomRequest(sandbox, write.request)
  if ('make' in write) {
    const make = sandbox.make as unknown as Record<string, (fields: object) => AnyRow>
    const like = pick(listRows(sandbox, write.make.table, account), write.place) ?? {}
    const references = Object.entries(like).filter(([field]) => field.endsWith('Id'))
    return make[write.make.name]?.({ ...Object.fromEntries(references), at: write.at })
  }
  const { by, other, field } = write
  const table = getAnyTable(sandbox, write.table)
  const rows = listRows(sandbox, write.table, account)
  const row = pick(rows, write.place)
  if (row === undefined) return undefined
  const fields = Object.entries(pick(rows, other) ?? row).filter(
    ([name]) => by !== 'move' || /(At|_at|Date)$/.test(name),
  )
  const [key = 'id', value] = pick(fields, field) ?? []
  if (by === 'remove') return table.remove(row.id)
  if (by === 'copy') return table.insert({ ...row, [key]: value, id: 8_000_000_000_000 + other })
  return table.update(row.id, { [key]: by === 'empty' ? null : value })
}

/** Returns the records of the account, or all records of a table without accounts. */
function listRows(sandbox: Sandbox, name: string, account: number): readonly AnyRow[] {
  return getAnyTable(sandbox, name)
    .all()
    .filter(({ accountId = account }) => accountId === account)
}

/** Returns URLs of all GET routes, with each value of a query parameter with fixed values. */
function listUrls(sandbox: Sandbox, account: number): string[] {
  return routes.flatMap((route) => {
    if (route.method !== 'GET') return []
    const names = [...route.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
    const paths = [0, 1].map((index) =>
      names.reduce((path, name) => {
        const id =
          name === 'account_id' ? account : pick(getRecordIds(sandbox, name, account), index)
        return path.replace(`:${name}`, String(id ?? 1))
      }, route.path as string),
    )
    const { properties = {} } = z.toJSONSchema(route.query, {
      io: 'input',
      unrepresentable: 'any',
    }) as { properties?: Record<string, { enum?: unknown[]; type?: string }> }
    const queries = Object.entries(properties).flatMap(([name, shape]) => {
      const values = shape.enum ?? (shape.type === 'boolean' ? [true, false] : [])
      return values.map((value) => `?${name}=${String(value)}`)
    })
    if ('start_date' in properties) queries.push('?start_date=2026-09-01&end_date=2026-09-20')
    if ('date_start' in properties) queries.push('?date_start=2026-09-01&date_end=now')
    return [...new Set(paths)].flatMap((path) => ['', ...queries].map((query) => path + query))
  })
}

/** Returns the data or the error of all responses as strings. */
async function readAll(sandbox: Sandbox, urls: readonly string[]): Promise<Map<string, string>> {
  const answers = new Map<string, string>()
  for (const url of urls) {
    const { status, body } = await sendAsOwner(sandbox, 'GET', url)
    const { data, _pagination, error } = body
    answers.set(url, JSON.stringify([status, data, _pagination, error]))
  }
  return answers
}

it.each(scenarios)(
  'returns the same responses as a world with an empty cache, after any writes (%s)',
  async (scenario, account) => {
    const base = await createUnlimitedSandbox(scenario)
    const urls = listUrls(base, account)
    const writes = fc.array(generateWrites(base, account), { minLength: 1, maxLength: 6 })
    await fc.assert(
      fc.asyncProperty(writes, fc.nat(4), async (all, part) => {
        const read = urls.filter((_, index) => index % 5 === part)
        const warm = base.fork()
        await readAll(warm, read)
        for (const write of all) {
          try {
            await applyWrite(warm, account, write)
          } catch (error) {
            // The world may not contain a suitable record.
            if (!(error instanceof SandboxError)) throw error
          }
          const cold = await readAll(warm.fork(), read)
          for (const [url, text] of await readAll(warm, read))
            expectSameText(text, cold.get(url) ?? '', url)
        }
      }),
      { ...getRunOptions(1, 12), endOnFailure: true },
    )
  },
  120_000,
)
