import axios from 'axios'
import axiosRetryModule from 'axios-retry'
import { createSandbox } from 'creator-api-sandbox'
import { handlers } from 'creator-api-sandbox/msw'
import { startServer } from 'creator-api-sandbox/server'
import got from 'got'
import ky from 'ky'
import { setupServer } from 'msw/node'
import { createFetch } from 'ofetch'
import pRetry from 'p-retry'
import superagent from 'superagent'

// A connection is cut at the first of two attempts. Each client must do in process and under MSW
// what it does with the real connection of a server.

const axiosRetry = axiosRetryModule.default ?? axiosRetryModule

/** Clients that retry, each as a function that reads an address. */
const clients = {
  'p-retry': ({ url, headers, fetch }) =>
    pRetry(async () => (await fetch(url, { headers })).text(), {
      retries: 2,
      minTimeout: 1,
      factor: 1,
    }),
  ky: ({ url, headers, fetch }) =>
    ky(url, { headers, fetch, retry: { limit: 2, delay: () => 1 } }).text(),
  ofetch: ({ url, headers, fetch }) =>
    createFetch({ fetch, Headers, AbortController })(url, {
      headers,
      retry: 2,
      retryDelay: 1,
      responseType: 'text',
    }),
  got: ({ url, headers }) =>
    got(url, {
      headers,
      retry: { limit: 2, calculateDelay: ({ computedValue }) => Math.min(computedValue, 1) },
    }).text(),
  'axios-retry': async ({ url, headers }) => {
    const client = axios.create({ headers })
    axiosRetry(client, { retries: 2, retryDelay: () => 1 })
    return (await client.get(url, { responseType: 'text' })).data
  },
  superagent: async ({ url, headers }) => (await superagent.get(url).set(headers).retry(2)).text,
}
const byFetch = ['p-retry', 'ky', 'ofetch']

/** Reads with a client while the first answer is cut. Returns how often it asked, and the end. */
async function read(name, sandbox, fetch, drop) {
  const before = sandbox.requests.length
  sandbox.faults.add({ drop, times: 1 })
  const end = await clients[name]({
    url: `${sandbox.baseUrl}/v1/tags`,
    headers: { 'x-api-key': sandbox.keys.owner },
    fetch,
  }).then(
    () => 'succeeds',
    () => 'fails',
  )
  sandbox.faults.clear()
  return `${end} after ${sandbox.requests.length - before} requests`
}

const server = await startServer({ port: 0, scenario: 'solo' })
const sandbox = createSandbox({ scenario: 'solo', baseUrl: 'https://api.example.test' })
await sandbox.ready
const mocked = setupServer(...handlers(sandbox))
for (const name of Object.keys(clients))
  for (const drop of [true, 'midway']) {
    const expected = await read(name, server.sandbox, globalThis.fetch, drop)
    const found = {}
    if (byFetch.includes(name)) found['in process'] = await read(name, sandbox, sandbox.fetch, drop)
    mocked.listen()
    found['under MSW'] = await read(name, sandbox, globalThis.fetch, drop)
    mocked.close()
    for (const [place, end] of Object.entries(found)) {
      // A cut before the answer is retried by all of them.
      const isRight = end === expected && (drop === 'midway' || end === 'succeeds after 2 requests')
      if (!isRight) process.exitCode = 1
      console.log(
        `${isRight ? 'ok    ' : 'failed'}  ${name}, drop: ${drop}, ${place}: ${end}; with a server it ${expected}`,
      )
    }
  }
await server.stop()
