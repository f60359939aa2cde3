import type { Sandbox } from 'creator-api-sandbox'
import { createValidRequests } from './valid-requests.ts'
import type { Exchange, Observation } from './exchange.ts'
import type { Operation, Parameter } from './operations.ts'
import { listInvalidValues, listValidValues } from './query-values.ts'
import { sendRejectedRequests } from './rejected-requests.ts'
import { appendQuery, sendAll, sendRequest } from './send.ts'
import type { ApiRequest } from './send.ts'
import type { Subject } from './subject.ts'
import { sendInvalidIds, sendInvalidBodies } from './invalid-requests.ts'

/**
 * Sends valid, filtered and invalid requests to an operation. Each observation uses its own fork,
 * so it is independent of earlier observations.
 */
export async function* observeOperation(
  subject: Subject,
  operation: Operation,
): AsyncGenerator<Observation> {
  const cases: [string, (sandbox: Sandbox) => Promise<Exchange[]>][] = [
    ['good', (fork) => sendAllValid(fork, operation, { accounts: [subject.account], most: 6 })],
    [
      'other accounts',
      (fork) => sendAllValid(fork, operation, { accounts: subject.others, most: 2 }),
    ],
    ...operation.inQuery.map((parameter): (typeof cases)[number] => [
      `with ${parameter.name}`,
      (fork) => sendFiltered(fork, operation, { parameter, account: subject.account }),
    ]),
    ['pages', (fork) => readAllPages(fork, operation, subject.account)],
    ['wrong ids', (fork) => sendInvalidIds(fork, operation, subject.account)],
    ['wrong values', (fork) => sendInvalidBodies(fork, operation, subject.account)],
    ['refused', (fork) => sendRejectedRequests(fork, operation, subject)],
  ]
  for (const [name, observe] of cases) {
    using fork = subject.sandbox.fork()
    const exchanges = await observe(fork)
    if (exchanges.length > 0) yield { name: `${operation.id}: ${name}`, exchanges }
  }
}

async function sendAllValid(
  sandbox: Sandbox,
  operation: Operation,
  { accounts, most }: { accounts: readonly number[]; most: number },
): Promise<Exchange[]> {
  const ofAccount = operation.path.includes('{account_id}') || operation.method === 'POST'
  const exchanges: Exchange[] = []
  for (const account of ofAccount ? accounts : accounts.slice(0, 1))
    exchanges.push(
      ...(await sendAll(sandbox, await createValidRequests(sandbox, operation, { account, most }))),
    )
  return exchanges
}

async function sendFiltered(
  sandbox: Sandbox,
  operation: Operation,
  { parameter, account }: { parameter: Parameter; account: number },
): Promise<Exchange[]> {
  const [ask] = await createValidRequests(sandbox, operation, { account, most: 1 })
  if (ask === undefined) return []
  const values = [...listValidValues(sandbox, parameter, account), ...listInvalidValues(parameter)]
  const asks = values.map((value) => ({
    ...ask,
    url: setQueryParameter(ask.url, parameter.name, value),
  }))
  return await sendAll(sandbox, asks)
}

/** Reads all pages of a list with a small page size. */
async function readAllPages(
  sandbox: Sandbox,
  operation: Operation,
  account: number,
): Promise<Exchange[]> {
  const names = operation.inQuery.map(({ name }) => name)
  const isPaged = names.includes('offset') || names.includes('marker') || names.includes('limit')
  const [ask] = await createValidRequests(sandbox, operation, { account, most: 1 })
  if (!isPaged || ask === undefined) return []
  const exchanges: Exchange[] = []
  let next: string | undefined = names.includes('limit')
    ? setQueryParameter(ask.url, 'limit', 4)
    : ask.url
  while (next !== undefined && exchanges.length < maxPages) {
    const exchange: Exchange = await sendRequest(sandbox, { ...ask, url: next })
    exchanges.push(exchange)
    next = nextPage(exchange)
  }
  return exchanges
}

const maxPages = 12

function nextPage({ body }: Exchange): string | undefined {
  const [, next] = /"next_page":"((?:[^"\\]|\\.)*)"/.exec(body) ?? []
  return next === undefined ? undefined : (JSON.parse(`"${next}"`) as string)
}

/** Sets or replaces a query parameter in a path. */
function setQueryParameter(url: string, name: string, value: unknown): ApiRequest['url'] {
  const [path = '', query = ''] = url.split('?')
  return appendQuery(path, { ...Object.fromEntries(new URLSearchParams(query)), [name]: value })
}
