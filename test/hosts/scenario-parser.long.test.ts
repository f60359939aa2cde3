import { startServer } from 'creator-api-sandbox/server'
import { expect, it, onTestFinished } from 'vitest'

/** Returns a YAML scenario that is too long for the server to parse on its main thread. */
const long = (steps: string) => `extends: solo\nname: mine\n${steps}`

async function open() {
  const { url, stop } = await startServer({ port: 0, scenario: 'solo' })
  onTestFinished(stop)
  const put = (yaml: string) =>
    fetch(`${url}/_sandbox/scenario`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ yaml }),
    })
  return { url, put }
}

it('loads a scenario whose YAML is long', async () => {
  const { put } = await open()
  const response = await put(long(`# ${'x'.repeat(20_000)}\ntitle: Long\n`))
  expect([response.status, await response.json()]).toEqual([
    200,
    expect.objectContaining({ scenario: 'mine' }),
  ])
})

it('names the line of an error in long YAML', async () => {
  const { put } = await open()
  const response = await put(long(`# ${'x'.repeat(20_000)}\ntitle: 5\n`))
  expect([response.status, await response.json()]).toEqual([
    400,
    { error: expect.stringContaining('yaml:4:8, at title') },
  ])
})

it('handles requests while it parses long YAML', async () => {
  const { url, put } = await open()
  const order: string[] = []
  const parsing = put(long(`timeline:\n${'- {at: 1s}\n'.repeat(20_000)}`)).then((response) => {
    order.push(`scenario ${response.status}`)
  })
  const response = await fetch(`${url}/health`)
  order.push(`health ${response.status}`)
  await parsing
  expect(order).toEqual(['health 200', 'scenario 400'])
})
