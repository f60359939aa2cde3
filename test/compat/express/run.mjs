import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { createServer } from 'node:http'
import bodyParser1 from 'body-parser1'
import bodyParser2 from 'body-parser2'
import compression from 'compression'
import { createSandbox } from 'creator-api-sandbox'
import { createApp } from 'creator-api-sandbox/express'
import express4 from 'express4'
import express5 from 'express5'
import session from 'express-session'
import morgan from 'morgan'
import { createMocks } from 'node-mocks-http'
import serverless from 'serverless-http'

// Middleware of Express 4 and 5 before the app patches the response or reads the body. Adapters call the app without a
// server. Reads, writes and uploads must work with each of them.

const sandbox = createSandbox({ scenario: 'solo' })
await sandbox.ready
const app = createApp(sandbox)
const account = sandbox.accounts[0].id
const authorization = `Bearer ${sandbox.keys.owner}`
const bytes = Buffer.from([0, 255, 128, 10, 13, 200])
const etag = `"${createHash('md5').update(bytes).digest('hex')}"`

/** Reads posts, creates a tag, uploads a file and reads a picture. */
async function useApi(send) {
  const ask = async (method, path, body) => {
    const headers = { authorization, ...(body && { 'content-type': 'application/json' }) }
    const answer = await send(method, path, { headers, body: body && JSON.stringify(body) })
    assert.equal(answer.status, 200, `${method} ${path}: ${answer.body}`)
    assert.match(answer.headers['content-type'], /^application\/json/)
    return JSON.parse(answer.body).data
  }
  const tags = sandbox.db.tags.size
  await ask('GET', `/v1/${account}/posts`)
  await ask('POST', '/v1/tags', { name: `Tag ${tags}` })
  assert.equal(sandbox.db.tags.size, tags + 1)
  const { url } = await ask('POST', `/v1/${account}/upload/signed/create`, {
    key: `upload/0b2d8b1e-5d2c-4f8e-9a55-2f6c1c0e7a11/${String(tags).padStart(12, '0')}/a.jpg`,
    parts: 1,
    contentType: 'image/jpeg',
  })
  const { pathname } = new URL(url)
  const put = await send('PUT', pathname, {
    headers: { 'content-type': 'image/jpeg' },
    body: bytes,
  })
  assert.deepEqual([put.status, put.headers.etag], [200, etag], String(put.body))
}

async function serve(express, used) {
  const host = express()
  for (const each of used) host.use(each)
  const server = createServer(host.use(app)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  try {
    await useApi(async (method, path, { headers, body }) => {
      const response = await fetch(`http://127.0.0.1:${port}${path}`, { method, headers, body })
      const text = await response.text()
      return { status: response.status, headers: Object.fromEntries(response.headers), body: text }
    })
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

const lines = []
const logger = morgan('combined', { stream: { write: (line) => lines.push(line) } })
const sessions = session({ secret: 'secret', resave: true, saveUninitialized: true, rolling: true })
const compress = compression({ threshold: 0 })
const createMiddleware = (express, bodyParser) => ({
  compression: [compress],
  morgan: [logger],
  'express-session': [sessions],
  'all three': [compress, logger, sessions],
  'express.json': [express.json()],
  'express.raw': [express.raw({ type: '*/*' })],
  'express.json and express.raw': [express.json(), express.raw({ type: '*/*' })],
  'body-parser': [bodyParser.json(), bodyParser.raw({ type: '*/*' })],
  'express.urlencoded': [express.urlencoded({ extended: true })],
})
const versions = [
  ['Express 4', express4, bodyParser1],
  ['Express 5', express5, bodyParser2],
]
const adapters = {
  'serverless-http': async () => {
    const handler = serverless(app)
    await useApi(async (httpMethod, path, { headers, body }) => {
      const event = {
        httpMethod,
        path,
        headers: { host: 'localhost', ...headers },
        body: body === undefined ? null : Buffer.from(body).toString('base64'),
        isBase64Encoded: true,
        requestContext: {},
      }
      const answer = await handler(event, {})
      return { status: answer.statusCode, headers: answer.headers, body: answer.body }
    })
  },
  'node-mocks-http': () =>
    useApi(async (method, url, { headers, body }) => {
      const parsed = typeof body === 'string' ? JSON.parse(body) : body
      const { req, res } = createMocks(
        { method, url, headers, body: parsed },
        { eventEmitter: EventEmitter },
      )
      const end = once(res, 'end')
      app(req, res)
      await end
      return { status: res.statusCode, headers: res.getHeaders(), body: res._getData() }
    }),
}

const checks = [
  ...versions.flatMap(([version, express, bodyParser]) =>
    Object.entries(createMiddleware(express, bodyParser)).map(([name, used]) => [
      `${version}, ${name}`,
      () => serve(express, used),
    ]),
  ),
  [
    'morgan logs sizes',
    () =>
      assert.ok(
        lines.some((line) => /" 200 \d+ /.test(line)),
        lines[0],
      ),
  ],
  ...Object.entries(adapters),
]
for (const [name, check] of checks) {
  try {
    await check()
    console.log(`ok      ${name}`)
  } catch (error) {
    process.exitCode = 1
    console.log(`failed  ${name}: ${error.message}`)
  }
}
