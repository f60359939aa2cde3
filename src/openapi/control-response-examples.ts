import type { Control } from '../control/control.ts'
import { streamEvents } from '../control/event-stream.ts'
import { controlPrefix } from '../control/control-plane.ts'
import { controlRoutes } from '../control/routes/all-routes.ts'
import type { ControlRoute } from '../control/routes/route.ts'
import { eventsRoute } from '../control/routes/server.ts'
import type { ServedWorld } from '../control/served-world.ts'
import { shortenLists } from './response-examples.ts'
import type { ControlDocument, ControlOperation } from './control.ts'
import { yieldToEventLoop } from '../lib/yield-to-event-loop.ts'

/** A sandbox that examples may change. */
export interface ControlExampleSandbox {
  world: ServedWorld
  /** Sends an API request, so that the journal has an entry. */
  sendRequest: (url: string) => Promise<unknown>
}

/** Input of an example. */
interface ControlExampleInput {
  /**
   * True if the input refers to records that only exist in this sandbox. Such an input cannot serve
   * as an example.
   */
  isMade?: boolean
  id?: string
  item?: string
  query?: Readonly<Record<string, string>>
  body?: unknown
}

/**
 * Input of each route. The order matters, because later routes read records that earlier routes
 * create. Routes that are not listed are called first, without input.
 */
const exchanges: Readonly<Record<string, (control: Control) => ControlExampleInput>> = {
  'GET /data/:table': () => ({ id: 'posts', query: { limit: '2' } }),
  'POST /data/:table': (control) => ({
    id: 'fans',
    body: { name: 'Ida Holm', username: `ida_holm_${control.tables().fans}` },
  }),
  'GET /data/:table/:id': (control) => ({
    id: 'accounts',
    item: String(control.state().accounts[0]?.id),
  }),
  'PATCH /data/:table/:id': (control) => ({
    id: 'accounts',
    item: String(control.state().accounts[0]?.id),
    body: { about: 'Hello' },
  }),
  'POST /changes': () => ({}),
  'DELETE /data/:table/:id': (control) => ({
    isMade: true,
    id: 'fans',
    item: String(
      (control.data('fans', { sort: 'id:desc', limit: 1 }).items[0] as { id: number }).id,
    ),
  }),
  'GET /changes': () => ({}),
  'POST /replay': (control) => ({
    isMade: control.replay().next === null,
    body: { command: 'step' },
  }),
  'POST /clock': () => ({ body: { advance: '2h' } }),
  'POST /actions': (control) => {
    const account_id = control.state().accounts[0]?.id
    // A tip requires a fan. Without fans, the example creates one instead.
    const hasFans = control.tables().subscriptions > 0
    return {
      body: hasFans
        ? { type: 'tip', account_id, amount: 20 }
        : { type: 'subscriber.new', account_id },
    }
  },
  'GET /happenings': () => ({}),
  'GET /series': () => ({ query: { span: '30d', buckets: '2' } }),
  'POST /faults': () => ({ body: { route: 'GET /v1/:account_id/posts', status: 502, times: 2 } }),
  'GET /faults': () => ({}),
  'DELETE /faults/:id': (control) => ({
    isMade: true,
    id: String(control.faults.add({ status: 502 }).id),
  }),
  'DELETE /faults': () => ({}),
  'GET /requests': () => ({ query: { limit: '2' } }),
  'GET /requests/:id': (control) => ({ isMade: true, id: String(control.requestRows()[0]?.id) }),
  'DELETE /requests': () => ({}),
  'POST /worlds': () => ({ body: { name: 'worker-3' } }),
  'GET /worlds': () => ({}),
  'DELETE /worlds/:id': (control) => ({ isMade: true, id: control.worlds()[0]?.id }),
  'POST /recording': () => ({}),
  'GET /recording': () => ({}),
  'DELETE /recording': () => ({}),
  'PUT /snapshot': (control) => ({ body: control.snapshot() }),
  'POST /snapshots': () => ({ body: { name: 'before-checkout' } }),
  'GET /snapshots': () => ({}),
  'POST /snapshots/:id': () => ({ isMade: true, id: 'before-checkout' }),
  'DELETE /snapshots/:id': () => ({ isMade: true, id: 'before-checkout' }),
  'PUT /scenario': () => ({ body: { name: 'solo' } }),
  'POST /reset': () => ({}),
}

/**
 * Adds the sandbox's response to each control plane route, without keys. The inputs are valid for
 * `host`, but the responses come from a small scenario.
 */
export async function addControlResponseExamples(
  document: ControlDocument,
  { world, sendRequest: ask }: ControlExampleSandbox,
  host: Control = world.control,
): Promise<ControlDocument> {
  const { control } = world
  const paths = structuredClone(document.paths)
  await ask(`/v1/${control.state().accounts[0]?.id}/posts?limit=2`)
  for (const route of sortRoutesForExamples()) {
    await yieldToEventLoop()
    const sent = exchanges[route.id]?.(control) ?? {}
    const answer = await getExampleResponse(route, world, sent)
    const operation =
      paths[`${controlPrefix}${route.path.replace(/:(\w+)/g, '{$1}')}`]?.[
        route.method.toLowerCase()
      ]
    if (operation === undefined) continue
    const shown = sent.isMade === true ? {} : (exchanges[route.id]?.(host) ?? {})
    addExampleValues(operation, shown.isMade === true ? {} : shown, maskKeys(answer, control))
  }
  return { ...document, paths }
}

function sortRoutesForExamples(): ControlRoute[] {
  const names = Object.keys(exchanges)
  return controlRoutes.toSorted((a, b) => names.indexOf(a.id) - names.indexOf(b.id))
}

async function getExampleResponse(
  route: ControlRoute,
  world: ServedWorld,
  { id = '', item = '', query = {}, body }: ControlExampleInput,
): Promise<unknown> {
  if (route === eventsRoute) return readFirstEvent(world)
  if (route.text !== undefined) return route.text.example
  const checked = { query: route.query.parse(query), body: route.body?.parse(body) }
  const input = { id, item, ...checked, served: world }
  const answer = await route.run(world.control, input as Parameters<ControlRoute['run']>[1])
  return shortenLists(JSON.parse(JSON.stringify(answer)))
}

function readFirstEvent(world: ServedWorld): string {
  const sent: string[] = []
  streamEvents(world, (text) => sent.push(text))()
  return sent[0] ?? ''
}

function addExampleValues(
  { parameters = [], requestBody, responses }: ControlOperation,
  { id, item, body }: ControlExampleInput,
  answer: unknown,
): void {
  const given = [id, item]
  for (const parameter of parameters) {
    const value = parameter.in === 'path' ? given.shift() : undefined
    if (value !== undefined) parameter.example = value
  }
  const content = requestBody?.content['application/json']
  // Omits long bodies: a snapshot would be as long as the document, and shortening it would make it
  // invalid.
  if (content !== undefined && body !== undefined && JSON.stringify(body).length < 1000)
    content.example = body
  const success = responses['200']
  for (const type of Object.values(
    success !== undefined && 'content' in success ? (success.content ?? {}) : {},
  ))
    type.example = answer
}

/** Replaces API keys with placeholders, because the document must not contain keys. */
function maskKeys(answer: unknown, control: Control): unknown {
  let text = JSON.stringify(answer)
  for (const { key, role } of control.state().keys) text = text.replaceAll(key, `<key of ${role}>`)
  return JSON.parse(text)
}
