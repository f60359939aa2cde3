import axios from 'axios'
import { createSandbox } from 'creator-api-sandbox'
import { handlers, strict } from 'creator-api-sandbox/msw'
import { setupServer } from 'msw/node'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

// Runs in jsdom and in happy-dom, which apply CORS to mocked responses.
const sandbox = createSandbox({ scenario: 'solo', baseUrl: 'https://api.example.test' })
const server = setupServer(...handlers(sandbox))
beforeAll(async () => {
  await sandbox.ready
  server.listen(strict)
})
beforeEach(() => sandbox.reset())
afterAll(() => server.close())

/** Clients that send a request and return the status, the text and the ETag of the response. */
const clients = {
  async fetch(method, url, body, headers) {
    const response = await fetch(url, { method, headers, body })
    const text = await response.text()
    return { status: response.status, text, etag: response.headers.get('etag') }
  },
  xhr: (method, url, body, headers) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest()
      request.open(method, url)
      for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
      request.addEventListener('error', () => reject(new Error('network error')))
      request.addEventListener('load', () =>
        resolve({
          status: request.status,
          text: request.responseText,
          etag: request.getResponseHeader('etag'),
        }),
      )
      request.send(body)
    }),
  async axios(method, url, data, headers) {
    const options = {
      method,
      url,
      data,
      headers,
      responseType: 'text',
      transformResponse: (text) => text,
    }
    const response = await axios({ ...options, validateStatus: () => true })
    return { status: response.status, text: response.data, etag: response.headers['etag'] }
  },
}

describe.each(Object.keys(clients))('%s', (name) => {
  const send = (method, path, body) =>
    clients[name](
      method,
      path.startsWith('http') ? path : `${sandbox.baseUrl}/v1/${sandbox.accounts[0].id}${path}`,
      body === undefined || body instanceof Uint8Array ? body : JSON.stringify(body),
      { authorization: `Bearer ${sandbox.keys.owner}`, 'content-type': 'application/json' },
    )

  it('reads and writes, and preflights leave no trace', async () => {
    expect((await send('GET', '/posts')).status).toBe(200)
    const { status, text } = await send('POST', '/posts', { text: 'Hello' })
    expect([status, JSON.parse(text).data.text]).toEqual([200, 'Hello'])
    expect((await send('GET', '/nowhere')).status).toBe(404)
    expect(sandbox.requests.map(({ method }) => method)).toEqual(['GET', 'POST', 'GET'])
  })

  it('uploads a file', async () => {
    const begun = await send('POST', '/upload/signed/create', {
      key: 'upload/0b2d8b1e-5d2c-4f8e-9a55-2f6c1c0e7a11/000000000001/photo.jpg',
      parts: 1,
      contentType: 'image/jpeg',
    })
    const { url } = JSON.parse(begun.text).data
    const put = await send('PUT', url, new Uint8Array(2_000_000).fill(7))
    expect([put.status, put.etag]).toEqual([200, '"e82f730f749c332843645ee26b77bb81"'])
  })

  it.each([true, 'midway'])('fails for drop: %s', async (drop) => {
    sandbox.faults.add({ drop, times: 1 })
    await expect(send('GET', '/posts')).rejects.toThrow(/error|failed|terminated|hang up/i)
    expect((await send('GET', '/posts')).status).toBe(200)
  })
})
