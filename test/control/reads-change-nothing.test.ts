import { startServer } from 'creator-api-sandbox/server'
import { expect, it, onTestFinished } from 'vitest'
import { controlRoutes } from '../../src/control/routes/all-routes.ts'

/** GET routes, except event streams, whose responses never end. */
const reads = controlRoutes
  .filter(({ method, path }) => method === 'GET' && !path.includes(':') && path !== '/events')
  .map(({ path }) => `/_sandbox${path}`)
const pages = ['/openapi.json', '/_sandbox/openapi.json', '/docs', '/_sandbox/']

it('does not change anything on a GET request to the control plane, a document or a page', async () => {
  const { url, sandbox, stop } = await startServer({
    port: 0,
    scenario: 'solo',
    clock: 'frozen',
  })
  onTestFinished(stop)
  const read = async (path: string) => (await fetch(`${url}${path}`)).text()
  const state = async () => ({
    health: await read('/health'),
    // The journal stores the reads of /health.
    state: (await read('/_sandbox/state')).replace(/"requests":{[^}]*}/, ''),
    snapshot: JSON.stringify(sandbox.snapshot()),
  })
  const post = `/_sandbox/data/posts/${sandbox.db.posts.all()[0]?.id}`
  const before = await state()
  expect(before.health).toContain('digest')
  for (const path of [...reads, '/_sandbox/data/posts', post, ...pages]) {
    await read(path)
    expect.soft([path, await state()]).toEqual([path, before])
  }
})
