import type { Sandbox } from 'creator-api-sandbox'
import { beforeAll, expect, it } from 'vitest'
import { isReadOperation, readOperations } from '../../scripts/same-answers/operations.ts'
import type { Operation } from '../../scripts/same-answers/operations.ts'
import { fillPath, findPathValues } from '../../scripts/same-answers/path-values.ts'
import { sendRequest } from '../../scripts/same-answers/send.ts'
import type { ApiRequest } from '../../scripts/same-answers/send.ts'
import { createTestStates } from '../../scripts/same-answers/states.ts'
import type { State } from '../../scripts/same-answers/states.ts'
import { createValidRequests } from '../../scripts/same-answers/valid-requests.ts'
import { routes } from '../../src/resources/all-resources.ts'
import { createFreshSandbox } from '../support/client.ts'
import { selectForRun } from '../support/run-options.ts'

const account = 410_000_000
const writes = readOperations().filter((operation) => !isReadOperation(operation))
let sandbox: Sandbox
let states: State[]

beforeAll(async () => {
  sandbox = await createFreshSandbox('everything')
  const { fanId } = sandbox.db.subscriptions.find({ accountId: account, isBlocked: false })!
  sandbox.db.fans.update(fanId, { isActive: false })
  states = createTestStates(sandbox, account).filter(({ refusesAll }) => refusesAll)
  for (const state of states) state.sandbox.checkpoint()
})

it.each(selectForRun(writes, 6).map((operation) => [operation.id, operation] as const))(
  '%s changes nothing if it is refused, and says why in its own words',
  async (id, operation) => {
    const requests = await createRequests(operation)
    const seen = new Set<string | null>()
    let fork: Sandbox | undefined
    for (const request of requests) {
      if (fork === undefined) {
        fork = sandbox.fork()
        fork.checkpoint()
      }
      const { status, body } = await sendRequest(fork, request)
      if (status >= 400) expect(body, request.url).not.toMatch(messagesOfLibrary)
      seen.add(fork.control.requests({ limit: 1 })[0]?.code ?? null)
      if (status >= 400) expectNoChange(fork, request)
      else fork = undefined
    }
    for (const state of states) {
      const [request] = requests
      if (request?.key === undefined) continue
      const { status } = await sendRequest(state.sandbox, {
        ...request,
        key: state.key ?? request.key,
      })
      expect([state.name, status]).toEqual([state.name, expect.toSatisfy((code) => code >= 400)])
      expectNoChange(state.sandbox, request)
    }
    const declared = routes.find(
      ({ method, path }) =>
        method === operation.method && path.replace(/:(\w+)/g, '{$1}') === operation.path,
    )?.errors
    const missing = (declared ?? []).filter((code) => !seen.has(code))
    expect(missing).toEqual(needsOtherState[id] ?? [])
  },
)

/** Declared errors that need a state which the requests below do not create. */
const needsOtherState: Readonly<Record<string, readonly string[]>> = {
  removePostLabelPost: ['post_unknown'],
  countFanTransactions: ['window_reversed'],
  // Its response lists these errors, with the status 200.
  addUserToLists: ['user_list_unknown', 'user_list_protected'],
  addUserListUsers: ['fan_deleted'],
  uploadPart: ['upload_expired', 'upload_empty'],
  markChatAsUnread: ['chat_without_fan'],
  publishScheduledItem: ['post_locked'],
  deleteScheduledItem: ['post_locked'],
  requestPayout: ['payout_system_missing'],
}

function expectNoChange(refusing: Sandbox, request: ApiRequest): void {
  expect([request, refusing.changes().tables]).toEqual([request, []])
}

/** Words that the schema library, and not the sandbox, writes. */
const messagesOfLibrary = /Invalid|expected|received|undefined|NaN/
const past = '2020-01-01T00:00:00Z'
const wrongShapes = [[], [1], [1, 1], [[]], { min: 'x' }]
const wrongValues = [null, true, '', -1, 0, 0.5, 1e9, 'x'.repeat(3000), past, ...wrongShapes]

/** Creates valid requests, and requests with a single wrong id or body field. */
async function createRequests(operation: Operation): Promise<ApiRequest[]> {
  const valid = await createValidRequests(sandbox.fork(), operation, { account, most: 2 })
  const [first] = valid
  if (first === undefined) return []
  const [values = {}] = findPathValues(sandbox, operation, { account, most: 1 })
  const bodies = valid.flatMap(({ body }) =>
    typeof body === 'object' && body !== null ? [{ ...body }] : [],
  )
  const all: Record<string, unknown> = Object.assign({}, ...bodies)
  const ids = listOtherIds()
  return [
    ...valid,
    ...operation.inPath.flatMap((name) =>
      ids.map((id) => ({ ...first, url: fillPath(operation, { ...values, [name]: id }) })),
    ),
    ...(bodies[0] === undefined ? [] : [bodies[0], all]).flatMap((body) =>
      Object.keys(all).flatMap((field) =>
        wrongValues.map((value) => ({ ...first, body: { ...body, [field]: value } })),
      ),
    ),
  ]
}

/** Returns ids that have a wrong form, do not exist, or are in a state that may be refused. */
function listOtherIds(): (string | number)[] {
  const { db } = sandbox
  const rows = [
    db.messages.find({ accountId: account, isFromFan: true }),
    db.messages.find(({ accountId, purchasedAt }) => accountId === account && purchasedAt !== null),
    db.massMessages.find({ accountId: account, state: 'cancelled' }),
    db.posts.find({ accountId: account, canEdit: false }),
    db.posts.find({ accountId: account, canDelete: false }),
    db.vaultLists.find(({ accountId, type }) => accountId === account && type !== 'custom'),
    db.fans.find({ isActive: false }),
    db.fans.find({ isDeleted: true }),
  ]
  const blocked = db.userMarks
    .where(({ blockedAt }) => blockedAt !== null)
    .map(({ userId }) => userId)
  return [
    'abc',
    1,
    999_999_999_999,
    'fans',
    ...blocked.slice(0, 1),
    ...rows.flatMap((row) => row?.id ?? []),
  ]
}
