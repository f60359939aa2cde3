import { readOverlay } from 'creator-api-sandbox/overlay'
import type { OverlayInput } from 'creator-api-sandbox/overlay'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Route } from '../../src/api/route.ts'
import { getResponseData } from '../../src/verify/service-response.ts'
import { describeExpectedType } from '../../src/verify/expected-type.ts'
import { findLongestList } from '../../src/verify/known-ids.ts'
import { getListLimit } from '../../src/verify/list-limits.ts'
import { addToShape, createEmptyShape } from '../../src/verify/shape.ts'
import type { Shape } from '../../src/verify/shape.ts'
import {
  listDifferences,
  toServiceOverlay,
  openFakeLiveService,
  verifyFakeLiveService,
} from '../support/fake-live-service.ts'
import { getRunOptions } from '../support/run-options.ts'

type Change = NonNullable<OverlayInput['routes'][string]['answer']>[string]
type Changes = Readonly<Record<string, Change>>

const asked = [
  'GET /v1/accounts',
  'GET /v1/:account_id/posts',
  'GET /v1/:account_id/subscribers',
  'GET /v1/:account_id/vault/lists',
  'GET /v1/:account_id/tracking-links',
  'GET /v1/:account_id/payouts/balances',
  'GET /v1/:account_id/notifications/counts',
  'GET /v1/tags',
]
const shipped = (await readOverlay()).routes as readonly Route[]
const routes = shipped.filter(({ id }) => asked.includes(id))

/**
 * Generates paths in a route's response, each with the changes that verification can detect there.
 */
function getPlaces(
  schema: Parameters<typeof describeExpectedType>[0],
  shape: Shape,
  path: string,
): [path: string, changes: readonly Change[]][] {
  const expected = describeExpectedType(schema)
  if (shape.types.has('array') && expected.entries !== undefined) {
    if (shape.entries === undefined || shape.entries.count === 0) return []
    return [
      ...(path === '$' ? [] : [[path, [{ wrap: 'wrapped' }]] as [string, Change[]]]),
      ...getPlaces(expected.entries, shape.entries, `${path}[*]`),
    ]
  }
  if (!shape.types.has('object') || expected.fields === undefined) return []
  return [...expected.fields].flatMap(([name, field]) => {
    const seen = shape.fields.get(name)
    const known = describeExpectedType(field)
    if (seen === undefined || known.isOptional || known.isNullable) return []
    const at = `${path}.${name}`
    const below = getPlaces(field, seen, at)
    const isLeaf = seen.fields.size === 0 && seen.entries === undefined
    const isTime = known.forms?.has('iso') === true || known.forms?.has('iso-offset') === true
    const own: Change[] = [{ remove: true }, { rename: 'renamed' }]
    if (isLeaf && !isTime) own.push({ nullable: true, value: null })
    if (isLeaf && known.types.has('integer') && !known.types.has('number'))
      own.push({ type: 'string' })
    if (isLeaf && isTime)
      own.push({ format: 'epoch-seconds' }, { format: 'date-time' }, { format: 'epoch-ms' })
    return [[at, own] as [string, Change[]], ...below]
  })
}

const added: fc.Arbitrary<Change> = fc.constantFrom<Change>(
  { add: 'string', value: 'some text' },
  { add: 'integer', value: 7 },
  { add: 'boolean' },
  { add: 'null' },
  { add: 'array' },
  { add: 'string', format: 'iso' },
)

async function drawable() {
  const live = await openFakeLiveService()
  const account = live.sandbox.db.accounts.all()[0]?.id ?? 0
  const all = await Promise.all(
    routes.map(async (route) => {
      const { json } = await live.ask({
        method: 'GET',
        path: route.path.replace(':account_id', String(account)),
      })
      const data = getResponseData(route, json)
      return {
        route,
        places: getPlaces(route.data as never, addToShape(createEmptyShape(), data), '$'),
        rows: findLongestList(data).length,
      }
    }),
  )
  return all.filter(({ route, places }) => places.length > 0 && route.id !== 'GET /v1/accounts')
}

/**
 * Generates detectable limits: a maximum page size below the length of the list, or the rejection
 * of a value that the sandbox lowers.
 */
function getLimits(route: Route, rows: number): fc.Arbitrary<{ query: Changes }>[] {
  const limit = getListLimit(route)
  if (limit?.part !== 'query') return []
  const say = (change: Change) => ({ query: { '$.limit': change } })
  return [
    ...(rows < 2
      ? []
      : [fc.integer({ min: 1, max: rows - 1 }).map((maximum) => say({ maximum, clamp: true }))]),
    ...(limit.clamp
      ? [
          fc
            .integer({ min: 1, max: limit.maximum })
            .map((maximum) => say({ maximum, clamp: false })),
        ]
      : []),
  ]
}

const changesOf = (places: readonly [string, readonly Change[]][]): fc.Arbitrary<Changes> =>
  fc
    .uniqueArray(fc.constantFrom(...places), {
      minLength: 1,
      maxLength: 2,
      selector: ([path]) => path,
    })
    .chain((chosen) =>
      fc.tuple(
        // No selected path contains another, because a change removes the paths below it.
        ...chosen
          .filter(
            ([path]) =>
              !chosen.some(
                ([other]) => other !== path && (path.startsWith(other) || other.startsWith(path)),
              ) || chosen[0]?.[0] === path,
          )
          .map(([path, options]) =>
            fc.constantFrom(...options).map((change) => [path, change] as const),
          ),
      ),
    )
    .map((changes) =>
      Object.fromEntries(
        changes.filter(
          ([, change], index) =>
            change.rename === undefined ||
            changes.findIndex(([, other]) => other.rename !== undefined) === index,
        ),
      ),
    )

it(
  'finds any hidden overlay and nothing else, and no differences with the overlay that it writes',
  { timeout: 300_000 },
  async () => {
    const candidates = await drawable()
    const hiddenOverlay = fc
      .uniqueArray(fc.constantFrom(...candidates), {
        minLength: 1,
        maxLength: 3,
        selector: ({ route }) => route.id,
      })
      .chain((chosen) =>
        fc.tuple(
          ...chosen.map(({ route, places, rows }) =>
            fc
              .oneof(
                { arbitrary: fc.record({ answer: changesOf(places) }), weight: 6 },
                {
                  arbitrary: added.map((change) => ({
                    answer: { [`${places[0]?.[0].replace(/\.[\w-]+$/, '')}.extra`]: change },
                  })),
                  weight: 3,
                },
                {
                  arbitrary: fc.constantFrom(
                    { absent: true as const },
                    { path: `${route.path}/moved` },
                  ),
                  weight: 2,
                },
                ...getLimits(route, rows).map((arbitrary) => ({ arbitrary, weight: 2 })),
              )
              .map((overlay) => [route.id, overlay] as const),
          ),
        ),
      )
      .map((entries): OverlayInput => ({ routes: Object.fromEntries(entries) }))
    await fc.assert(
      fc.asyncProperty(hiddenOverlay, async (hidden) => {
        const live = await openFakeLiveService(hidden)
        const first = await verifyFakeLiveService(live, { only: asked })
        const found = listDifferences(first.results)
        expect(Object.keys(found).toSorted()).toEqual(Object.keys(hidden.routes).toSorted())
        for (const [id, { absent, path }] of Object.entries(hidden.routes))
          expect(found[id]?.includes('absent')).toBe(absent === true || path !== undefined)
        const written = toServiceOverlay(first)
        const second = await verifyFakeLiveService(live, { only: asked, overlays: [written] })
        expect(listDifferences(second.results)).toEqual({})
      }),
      getRunOptions(3, 100),
    )
  },
)
