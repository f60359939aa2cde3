// Tests of the public types, which `npm run typecheck` checks without executing this file.
import { createSandbox, defineScenario } from 'creator-api-sandbox'
import type {
  ActionInput,
  ActionResult,
  FaultInput,
  ReceivedFilter,
  Role,
  RouteId,
  RouteName,
  Sandbox,
  SandboxOptions,
  Scenario,
  ScenarioName,
  TableName,
} from 'creator-api-sandbox'
import type { RemoteControl, RemoteWorld } from 'creator-api-sandbox/client'
import type { SandboxMatchers } from 'creator-api-sandbox/matchers'
import { createFetch } from 'creator-api-sandbox/fetch'
import type { components, paths } from 'creator-api-sandbox/schema'
import { expectTypeOf } from 'vitest'

declare const library: readonly Scenario[]
const own = { name: 'mine', now: '2026-10-01T09:00:00Z', organisations: [] } as const
const sandbox = createSandbox({ scenario: 'solo' })

/** Scenarios. */
expectTypeOf<ScenarioName>().toExtend<string>()
expectTypeOf<'agency' | 'solo' | 'launch-day'>().toExtend<ScenarioName>()
// @ts-expect-error unknown scenario
createSandbox({ scenario: 'sollo' })
createSandbox({ scenario: 'mine', library: [own] })
createSandbox({ scenario: 'whatever', library })
createSandbox({ scenario: own })
// @ts-expect-error scenario that the library does not contain
createSandbox({ scenario: 'mine', library: [{ ...own, name: 'other' } as const] })
// @ts-expect-error unknown option
createSandbox({ scenarios: 'solo' })
expectTypeOf<SandboxOptions>().toExtend<SandboxOptions<readonly Scenario[]>>()
declare const path: string
createSandbox({ scenario: './mine.yaml' })
createSandbox({ scenario: path, seed: 7 })
createSandbox({ scenario: { extends: 'solo', name: 'mine', timeline: [{ at: '5s' }] } })
const defined = defineScenario({ ...own, records: { tags: [{ name: 'VIP', at: '-2d' }] } })
createSandbox({ scenario: 'mine', library: [defined] })
// @ts-expect-error scenario that the library does not contain
createSandbox({ scenario: 'other', library: [defined] })
createSandbox({ scenario: defineScenario({ extends: 'solo', records: { tags: [{ name: '' }] } }) })
// @ts-expect-error unknown table
defineScenario({ ...own, records: { tag: [] } })
// @ts-expect-error unknown field of a table
defineScenario({ ...own, records: { tags: [{ nam: 'VIP' }] } })
// @ts-expect-error wrong value of a field
defineScenario({ extends: 'solo', records: { posts: [{ status: 'gone' }] } })
// @ts-expect-error unknown action
defineScenario({ extends: 'solo', timeline: [{ at: '5s', do: { type: 'tipp' } }] })
void sandbox.control.loadScenario({ name: 'one of a library' })

/** Keys. */
expectTypeOf(sandbox.keys.owner).toEqualTypeOf<string>()
expectTypeOf(sandbox.keys.analyst).toEqualTypeOf<string>()
expectTypeOf(sandbox.keys.chatter).toEqualTypeOf<string | undefined>()
expectTypeOf(createSandbox().keys.chatter).toEqualTypeOf<string>()
expectTypeOf(createSandbox({ scenario: own }).keys.analyst).toEqualTypeOf<string | undefined>()
expectTypeOf(sandbox).toExtend<Sandbox>()
expectTypeOf(sandbox.keys['a role of my own']).toEqualTypeOf<string | undefined>()
createSandbox({ keys: { owner: 'mine', intern: 'theirs' } })

/** Accounts. */
expectTypeOf(sandbox.accounts[0]).toEqualTypeOf<{ id: number; username: string }>()
expectTypeOf(createSandbox().fork().accounts[0].id).toEqualTypeOf<number>()
expectTypeOf<Sandbox['accounts'][0]['id']>().toEqualTypeOf<number>()
expectTypeOf<Sandbox['keys']['owner']>().toEqualTypeOf<string>()
declare const world: RemoteWorld
expectTypeOf(world.keys.owner).toEqualTypeOf<string>()
expectTypeOf(world.keys.analyst).toEqualTypeOf<string | undefined>()
expectTypeOf(world.accounts[0].id).toEqualTypeOf<number>()
expectTypeOf(world.keysByRole()).resolves.toHaveProperty('owner').toEqualTypeOf<string>()

/** Actions. */
expectTypeOf(sandbox.act({ type: 'tip', amount: 5 }).type).toEqualTypeOf<'tip'>()
expectTypeOf(
  sandbox.act([{ type: 'tip' }, { type: 'post.publish' }])[1].type,
).toEqualTypeOf<'post.publish'>()
// @ts-expect-error unknown action, for which the compiler suggests the most similar one
sandbox.act({ type: 'tipp' })
// @ts-expect-error amount that is not a number
sandbox.act({ type: 'tip', amount: '5' })
// @ts-expect-error unknown field
sandbox.act({ type: 'tip', amunt: 5 })
const post = { type: 'post.publish', price: 5 } as const
// @ts-expect-error field that tips do not have
sandbox.act([post, { type: 'tip', price: 5 }])
declare const actions: ActionInput | readonly ActionInput[]
sandbox.act(actions)
declare const remote: RemoteControl
expectTypeOf(remote.act({ type: 'tip' })).resolves.toEqualTypeOf<ActionResult<'tip'>>()
// @ts-expect-error unknown field
void remote.act({ type: 'tip', amunt: 5 })

/** All route names are known routes, in both spellings, or variables of type string. */
expectTypeOf<'GET /v1/:account_id/posts'>().toExtend<RouteId>()
expectTypeOf<'nothing'>().not.toExtend<RouteId>()
expectTypeOf<'owner'>().toExtend<Role>()
sandbox.faults.add({ route: 'GET /v1/:account_id/posts', status: 502, role: 'owner' })
declare const route: string
sandbox.faults.add({ route, status: 418 })
sandbox.faults.add({ status: 503 })
// @ts-expect-error unknown route, for which the compiler suggests the most similar one
sandbox.faults.add({ route: 'GET /v1/:account_id/pots', status: 502 })
// @ts-expect-error unknown field
sandbox.faults.add({ rout: 'GET /v1/:account_id/posts' })
const braces: FaultInput = { route: 'GET /v1/{account_id}/posts/{post_id}/comments', status: 502 }
sandbox.faults.add({ ...braces, route: 'GET /v1/{account_id}/posts/{post_id}/comments' })
void remote.faults.add({ route: 'DELETE /v1/{account_id}/posts/{post_id}', drop: true })
expectTypeOf<FaultInput['route']>().toEqualTypeOf<RouteName | undefined>()
expectTypeOf<'GET /v1/{account_id}/pots'>().not.toExtend<RouteName>()
// @ts-expect-error unknown route
void ({ route: 'GET /v1/{account_id}/pots' } satisfies FaultInput)
declare const fault: FaultInput
sandbox.faults.add(fault)
void remote.faults.add({ route: 'POST /v1/:account_id/posts', drop: true })
// @ts-expect-error unknown route
void remote.faults.add({ route: 'POST /v1/:account_id/pots', drop: true })
expectTypeOf<FaultInput['drop']>().toEqualTypeOf<boolean | 'midway' | undefined>()

/** Stories. */
void sandbox.play({ until: 'The session lapses' })
sandbox.seek('+30s')

/** Requests. */
sandbox.received({ route: 'GET /v1/{account_id}/posts' })
sandbox.received({ route: 'GET /v1/:account_id/posts' })
sandbox.received({ route })
sandbox.received()
// @ts-expect-error unknown route
sandbox.received({ route: 'GET /v1/{account_id}/pots' })
void sandbox.waitForRequest({ route: 'POST /v1/{account_id}/posts' }, { timeoutMs: 5 })
// @ts-expect-error unknown route
void sandbox.waitForRequest({ route: 'POST /v1/{account_id}/pots' })
const received: ReceivedFilter = { route: 'POST /v1/{account_id}/posts' }
sandbox.received(received)
declare const matchers: SandboxMatchers
matchers.toHaveReceived({ route: 'POST /v1/{account_id}/posts' })
matchers.toHaveReceived({ route })
// @ts-expect-error unknown route
matchers.toHaveReceived({ route: 'POST /v1/{account_id}/pots' })
void remote.requests({ route: 'POST /v1/{account_id}/posts' })
void remote.received({ route: 'POST /v1/{account_id}/posts' })
// @ts-expect-error unknown route
void remote.received({ route: 'POST /v1/{account_id}/pots' })

const [request] = sandbox.requests
expectTypeOf(request?.route).toEqualTypeOf<RouteId | null | undefined>()
expectTypeOf(request?.json()).toEqualTypeOf<unknown>()
expectTypeOf(request?.json<{ text: string }>().text).toEqualTypeOf<string | undefined>()
expectTypeOf(request?.response.json<{ data: unknown }>()).toEqualTypeOf<
  { data: unknown } | undefined
>()
// @ts-expect-error unknown route
if (request?.route === 'GET /v1/:account_id/post') sandbox.close()

/** Tables. */
expectTypeOf<'posts'>().toExtend<TableName>()
expectTypeOf(sandbox.db.posts.get(1)?.price).toEqualTypeOf<number | undefined>()
expectTypeOf(sandbox.control.tables().posts).toEqualTypeOf<number>()

/** `fetch` has the global `fetch` type. */
expectTypeOf(sandbox.fetch).toExtend<typeof fetch>()
expectTypeOf(createFetch(sandbox)).returns.resolves.toEqualTypeOf<Response>()

/** The schemas of the API. */
expectTypeOf<components['schemas']['FeedPost']['media'][number]['type']>().toEqualTypeOf<
  'photo' | 'video' | 'gif' | 'audio'
>()
expectTypeOf<
  NonNullable<paths['/v1/{account_id}/posts']['get']['parameters']['query']>['limit']
>().toEqualTypeOf<number | undefined>()
