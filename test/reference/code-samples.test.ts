import { expect, it } from 'vitest'
import { languages } from '../../src/pages/reference/code-samples.ts'
import { createFreshSandbox } from '../support/client.ts'

const headers = { Authorization: 'Bearer sk', 'Content-Type': 'application/json' }
const post = {
  method: 'POST',
  url: 'https://api.example.test/v1/tags',
  headers,
  body: `{"name":"it's","on":true,"of":[null]}`,
  isFile: false,
}
const read = {
  method: 'GET',
  url: 'https://api.example.test/health',
  headers: {},
  body: null,
  isFile: false,
}
const file = { ...post, method: 'PUT', headers: {}, body: 'file' as const, isFile: true }

it('writes curl, with quotes for a shell', () => {
  expect(languages.curl(post)).toBe(
    String.raw`curl -X POST \
  -H 'Authorization: Bearer sk' \
  -H 'Content-Type: application/json' \
  --data-raw '{"name":"it'\''s","on":true,"of":[null]}' \
  'https://api.example.test/v1/tags'`,
  )
  expect(languages.curl({ ...read, method: 'HEAD' })).toContain('--head')
})

it('writes JavaScript that runs', async () => {
  const sandbox = await createFreshSandbox()
  const Authorization = `Bearer ${sandbox.keys['owner']}`
  const code = languages.JavaScript({
    ...post,
    url: `${sandbox.baseUrl}/v1/tags`,
    headers: { ...headers, Authorization },
  })
  const said: unknown[] = []
  const AsyncFunction = (async () => {}).constructor as new (
    ...parts: string[]
  ) => (...given: unknown[]) => Promise<void>
  await new AsyncFunction('fetch', 'console', code)(sandbox.fetch, {
    log: (...line: unknown[]) => said.push(...line),
  })
  expect([said[0], JSON.parse(String(said[1]))]).toEqual([
    200,
    expect.objectContaining({ data: expect.anything() }),
  ])
})

it('writes Python, with True and None', () => {
  expect(languages.Python(post)).toBe(`import requests

response = requests.request(
    "POST",
    "https://api.example.test/v1/tags",
    headers={
        "Authorization": "Bearer sk"
    },
    json={
        "name": "it's",
        "on": True,
        "of": [
            None,
        ],
    },
)
print(response.status_code, response.text)`)
})

it('writes Go with only the imports that it uses', () => {
  expect(languages.Go(post)).toContain('body := `{"name"')
  expect(languages.Go(post)).toContain('\t"strings"\n')
  expect(languages.Go(read)).not.toContain('strings')
  expect(languages.Go({ ...post, body: '{"a":"`"}' })).toContain(
    String.raw`body := "{\"a\":\"` + '`',
  )
})

it.each(Object.entries(languages))(
  'reads a file from disk in %s, and sends a body that is not JSON unchanged',
  (_, write) => {
    expect(write(file)).toContain('file.bin')
    expect(write({ ...post, body: '{"half' })).toContain('{')
    expect(write(read)).toContain('https://api.example.test/health')
  },
)
