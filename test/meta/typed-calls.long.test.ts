import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { createApp } from 'creator-api-sandbox/express'
import { expect, it, onTestFinished } from 'vitest'
import type { OpenApiDocument, Operation, Parameter } from '../../src/openapi/document.ts'
import type { JsonSchema } from '../../src/openapi/schemas.ts'
import { createFreshSandbox } from '../support/client.ts'
import { listParameters } from '../support/example-requests.ts'
import { serveOnFreePort } from '../support/server.ts'

const run = promisify(execFile)
const example = createRequire(new URL('../../examples/typed-client/package.json', import.meta.url))
const rootOf = (name: string) => dirname(example.resolve(`${name}/package.json`))

it("compiles the minimal call of every route with the README's typed client", async () => {
  const folder = await mkdtemp(join(tmpdir(), 'creator-api-sandbox-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const address = `${await serveOnFreePort(createApp(await createFreshSandbox('agency')))}/openapi.json`
  const document = (await (await fetch(address)).json()) as OpenApiDocument
  await run(
    process.execPath,
    [join(rootOf('openapi-typescript'), 'bin/cli.js'), address, '-o', 'schema.d.ts'],
    { cwd: folder },
  )
  await writeFile(join(folder, 'calls.ts'), toCalls(document))
  await writeFile(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, files: ['calls.ts'] }),
  )

  const { stdout } = await run(process.execPath, [
    join(rootOf('typescript'), 'bin/tsc'),
    '-p',
    folder,
  ]).catch((error: { stdout: string }) => error)

  expect(stdout).toBe('')
}, 120_000)

const compilerOptions = {
  strict: true,
  noEmit: true,
  skipLibCheck: false,
  target: 'es2022',
  module: 'esnext',
  moduleResolution: 'bundler',
  lib: ['es2022', 'dom', 'dom.iterable'],
  types: [],
  paths: { 'openapi-fetch': [join(rootOf('openapi-fetch'), 'dist/index.d.mts')] },
}

function toCalls(document: OpenApiDocument): string {
  const calls = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) =>
      toCall(document, { method: method.toUpperCase(), path, operation }),
    ),
  )
  return [
    "import createClient from 'openapi-fetch'",
    "import type { paths } from './schema.d.ts'",
    "const client = createClient<paths>({ baseUrl: 'http://127.0.0.1:4010' })",
    ...calls,
  ].join('\n')
}

/**
 * Returns the code of a call with only the required input. The code does not compile if the client
 * requires more input.
 */
function toCall(
  document: OpenApiDocument,
  { method, path, operation }: { method: string; path: string; operation: Operation },
): string {
  const parameters = listParameters(document, operation)
  const valuesIn = (place: Parameter['in']) =>
    parameters.flatMap((parameter) =>
      parameter.in === place && parameter.required
        ? [[parameter.name, toMinimalValue(parameter.schema, document)] as const]
        : [],
    )
  const params = Object.fromEntries(
    (['path', 'query'] as const).flatMap((place) => {
      const values = valuesIn(place)
      return values.length === 0 ? [] : [[place, Object.fromEntries(values)]]
    }),
  )
  const [schema] = Object.values(operation.requestBody?.content ?? {}).map(
    (content) => content.schema,
  )
  const options = {
    ...(Object.keys(params).length === 0 ? {} : { params }),
    ...(schema ? { body: toMinimalValue(schema as JsonSchema, document) } : {}),
  }
  const rest = Object.keys(options).length === 0 ? '' : `, ${JSON.stringify(options)}`
  return `await client.${method}(${JSON.stringify(path)}${rest})`
}

/** Returns a schema's minimal value: an object's required fields, or a list of minimum length. */
function toMinimalValue(schema: JsonSchema, document: OpenApiDocument): unknown {
  if (schema.$ref !== undefined)
    return toMinimalValue(
      document.components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {},
      document,
    )
  if (schema.enum !== undefined) return schema.enum[0]
  if (schema.const !== undefined) return schema.const
  const [option] = schema.anyOf ?? []
  if (option !== undefined) return toMinimalValue(option as JsonSchema, document)
  if (schema.type === 'object') {
    const { properties = {}, required = [] } = schema
    return Object.fromEntries(
      required.map((name) => [
        name,
        toMinimalValue((properties[name] ?? {}) as JsonSchema, document),
      ]),
    )
  }
  if (schema.type === 'array')
    return Array.from({ length: schema.minItems ?? 0 }, () =>
      toMinimalValue((schema.items ?? {}) as JsonSchema, document),
    )
  if (schema.type === 'integer' || schema.type === 'number') return schema.minimum ?? 1
  return schema.type === 'boolean' ? true : String(schema.examples?.[0] ?? 'text')
}
