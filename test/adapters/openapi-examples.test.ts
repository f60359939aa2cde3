import { createSandbox } from 'creator-api-sandbox'
import type { Sandbox } from 'creator-api-sandbox'
import { createApp } from 'creator-api-sandbox/express'
import { expect, it } from 'vitest'
import type { OpenApiDocument, Operation, Parameter } from '../../src/openapi/document.ts'
import { freshSandbox } from '../support/matrix.ts'
import { listen } from '../support/server.ts'

/** What cannot be told beforehand: signed links, bytes, an upload that has begun, a message of today, lists without words for them. */
const withoutExample = [
  'GET /media-proxy',
  'HEAD /media-proxy',
  'PUT /upload/{world}/{upload_id}/{part_number}',
  'POST /v1/{account_id}/upload/signed/finish',
  'DELETE /v1/{account_id}/messages/{message_id}',
  'POST /v1/{account_id}/messages/{message_id}/attach-tags',
]

async function readDocument(sandbox: Sandbox): Promise<OpenApiDocument> {
  return (await (await fetch(`${await listen(createApp(sandbox))}/openapi.json`)).json()) as OpenApiDocument
}

it('serves examples that work as they stand', async () => {
  const sandbox = await freshSandbox('agency')
  const document = await readDocument(sandbox)
  const refused: string[] = []
  for (const [path, item] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(item)) {
      const { ok } = await send(sandbox.fork(), { method: method.toUpperCase(), path, operation, document })
      if (!ok) refused.push(`${method.toUpperCase()} ${path}`)
    }
  }
  expect(refused.toSorted()).toEqual(withoutExample.toSorted())
}, 120_000)

it('shows what it answers, lists cut short, but for what an earlier answer has to be known for', async () => {
  const document = await readDocument(await freshSandbox('agency'))
  const answers = Object.values(document.paths).flatMap((item) =>
    Object.values(item).flatMap(({ operationId, responses }) => {
      const success = responses['200']
      const content = success !== undefined && 'content' in success ? success.content?.['application/json'] : undefined
      return content === undefined ? [] : [{ operationId, example: content.example as unknown }]
    }),
  )

  expect(answers.flatMap(({ operationId, example }) => (example === undefined ? [operationId] : [])).toSorted()).toEqual([
    'attachMessageTags',
    'finishUpload',
    'unsendMessage',
  ])
  expect(answers.filter(({ example }) => JSON.stringify(example ?? null).length > 20_000)).toEqual([])
}, 60_000)

it('has a document of the control plane', async () => {
  const address = await listen(createApp(await freshSandbox('agency')))
  const document = (await (await fetch(`${address}/_sandbox/openapi.json`)).json()) as OpenApiDocument
  const ids = Object.values(document.paths).flatMap((item) => Object.values(item).map(({ operationId }) => operationId))

  expect(document.openapi).toBe('3.1.0')
  expect(document.paths['/_sandbox/faults']?.['post']?.requestBody).toMatchObject({ required: true })
  expect(ids).toEqual(expect.arrayContaining(['getState', 'moveClock', 'doActions', 'listRecords']))
  expect(new Set(ids).size).toBe(ids.length)
})

it('names the first connected account whose session runs', async () => {
  const sandbox = await freshSandbox('agency')
  const [first, second] = sandbox.db.accounts.where({ organisation: 1, connected: true })
  sandbox.act({ type: 'session.lapse', account_id: first!.id })
  expect((await readDocument(sandbox)).components.parameters['AccountId']).toMatchObject({ example: second!.id })
})

it('leaves out the ids that a sandbox has not', async () => {
  const sandbox = createSandbox({ scenario: 'empty' })
  const document = await readDocument(sandbox)
  const post = document.paths['/v1/{account_id}/posts/{post_id}']?.['get']?.parameters?.find(
    (parameter) => 'name' in parameter && parameter.name === 'post_id',
  )
  expect(document.components.parameters['AccountId']).toHaveProperty('example')
  expect(post).not.toHaveProperty('example')
})

/** Sends what the document has examples for. */
function send(
  sandbox: Sandbox,
  { method, path, operation, document }: { method: string; path: string; operation: Operation; document: OpenApiDocument },
): Promise<Response> {
  const parameters = (operation.parameters ?? []).map((parameter): Parameter | undefined =>
    '$ref' in parameter ? document.components.parameters['AccountId'] : parameter,
  )
  const valueOf = (name: string) => encodeURIComponent(String(parameters.find((parameter) => parameter?.name === name)?.example))
  const query = parameters.flatMap((parameter) =>
    parameter?.in === 'query' && parameter.required ? [`${parameter.name}=${valueOf(parameter.name)}`] : [],
  )
  const example = operation.requestBody?.content['application/json']?.example
  const headers: Record<string, string> = {
    'x-api-key': sandbox.keys['owner'] ?? '',
    ...(example === undefined ? {} : { 'content-type': 'application/json' }),
  }
  const address = `${sandbox.baseUrl}${path.replace(/\{(\w+)\}/g, (_, name: string) => valueOf(name))}?${query.join('&')}`
  return sandbox.fetch(address, { method, headers, body: example === undefined ? undefined : JSON.stringify(example) })
}
