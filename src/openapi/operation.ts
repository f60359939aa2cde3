import type { z } from 'zod'
import type { Route } from '../engine/route.ts'
import { levelOf } from '../engine/source.ts'
import type { RouteSource } from '../engine/source.ts'
import { json } from './document.ts'
import type { Operation, Parameter, Reference } from './document.ts'
import { needsSession, toHeadResponses, toResponses } from './responses.ts'
import type { JsonSchema, SchemaWriter } from './schemas.ts'

const accountParameter = 'account_id'

/** The component of the parameter that most paths begin with. */
export const accountIdComponent: { AccountId: Parameter } = {
  AccountId: { name: accountParameter, in: 'path', required: true, description: 'Id of a connected account.', schema: { type: 'integer' } },
}

/** Converts a route to an operation of the document. */
export function toOperation(route: Route, writer: SchemaWriter): Operation {
  const { group, summary, permission, kind, gate, body, fileLimit } = route
  const parameters = toParameters(route, writer)
  return {
    operationId: toOperationId(route.method, route.path),
    tags: [group],
    summary,
    description: describe(route, tellSource(route)),
    ...readSource(route.source),
    ...(route.evidence === undefined ? {} : { 'x-evidence': route.evidence }),
    ...(permission === null ? {} : { 'x-permission': permission }),
    'x-kind': kind,
    ...(gate === 'none' ? { security: [] } : {}),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === null
      ? {}
      : { requestBody: { required: true as const, content: fileLimit === undefined ? json(writer.write(body, 'input')) : anyFile } }),
    responses: toResponses(route, writer),
  }
}

/** Makes the `HEAD` operation of a route. It has the headers of the route only. The reference does not show it. */
export function toHeadOperation(route: Route, writer: SchemaWriter): Operation {
  const { operationId: _get, summary, 'x-source-detail': _section, ...operation } = toOperation(route, writer)
  const evidence = 'by analogy with GET'
  return {
    operationId: toOperationId('HEAD', route.path),
    ...operation,
    summary: `${summary}: headers alone`,
    description: describe(route, tellSource({ source: 'inferred', evidence })),
    'x-source': 'inferred',
    'x-evidence': evidence,
    responses: toHeadResponses(),
  }
}

/** Converts a path to the form of OpenAPI: `:account_id` becomes `{account_id}`. */
export function toTemplate(path: string): string {
  return path.replace(/:(\w+)/g, '{$1}')
}

/** How well a route is known, and the section of the reference that shows it. */
export function readSource(source: RouteSource): Pick<Operation, 'x-source' | 'x-source-detail'> {
  const [, ...detail] = source.split(' ')
  return { 'x-source': levelOf(source), ...(detail.length === 0 ? {} : { 'x-source-detail': detail.join(' ') }) }
}

/** In words: how well a route is known, and by what. */
export function tellSource({ source, evidence }: Pick<Route, 'source' | 'evidence'>): string {
  const { 'x-source': level, 'x-source-detail': section } = readSource(source)
  const detail = section ?? evidence
  return detail === undefined ? level : `${level}: ${detail}`
}

/**
 * Makes a name from a method and a path: `GET /v1/:account_id/posts/:post_id/stats` becomes `getPostStats`. The name leaves the account
 * out. An id turns the noun before it into the singular; any other parameter becomes part of the name.
 */
export function toOperationId(method: string, path: string): string {
  const exception = exceptions.get(`${method} ${path}`)
  if (exception !== undefined) return exception
  const words: string[] = []
  for (const segment of path
    .replace(/^\/v1\//, '/')
    .replace(/^\/:account_id\//, '/')
    .split('/')) {
    const noun = words.at(-1)
    if (!segment.startsWith(':')) words.push(...segment.split('-').filter((word) => word !== ''))
    else if (segment.endsWith('_id') && noun?.endsWith('s')) words.splice(-1, 1, toSingular(noun))
    else words.push(...new Set(['by', ...segment.slice(1).split('_')]))
  }
  return method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}

/** Names for paths that would get the name of another path: `POST /v1/:account_id/user-lists` is `postUserLists` too. */
const exceptions: ReadonlyMap<string, string> = new Map([['POST /v1/:account_id/users/:user_id/lists', 'postUserToLists']])

function toSingular(noun: string): string {
  return noun.endsWith('ies') ? `${noun.slice(0, -3)}y` : noun.slice(0, -1)
}

function describe({ path, permission, kind, gate, rules = [] }: Route, source: string): string {
  const admission = gate === 'none' ? 'Needs no API key.' : `Requires permission \`${permission}\`.`
  const session = needsSession({ path, kind })
    ? " Relay route: 424 while the account's upstream session has lapsed."
    : ' Answers without the upstream session.'
  const list = rules.length === 0 ? [] : [rules.map((rule) => `- ${rule}`).join('\n')]
  return [admission + (gate === 'none' ? '' : session), ...list, `Source: ${source}.`].join('\n\n')
}

const anyFile = { '*/*': { schema: { type: 'string' as const, format: 'binary' } } }

function toParameters({ path, params, query, data, fileLimit }: Route, writer: SchemaWriter): (Parameter | Reference)[] {
  const named = new Map(properties(params, 'path', writer).map((parameter) => [parameter.name, parameter]))
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) =>
    name === accountParameter ? { $ref: '#/components/parameters/AccountId' } : (named.get(name) ?? unknownParameter(name)),
  )
  const range: Parameter[] =
    data === null && fileLimit === undefined
      ? [
          {
            name: 'Range',
            in: 'header',
            required: false,
            description: 'One range of bytes.',
            schema: { type: 'string', 'x-source': 'inferred' },
          },
        ]
      : []
  return [...inPath, ...properties(query, 'query', writer), ...range]
}

function unknownParameter(name: string): Parameter {
  return { name, in: 'path', required: true, schema: { type: 'string' } }
}

function properties(schema: z.ZodType, place: 'path' | 'query', writer: SchemaWriter): Parameter[] {
  const { properties: fields = {}, required = [] } = writer.write(schema, 'input')
  return Object.entries(fields).map(([name, field]) => {
    const { description, ...rest } = field as JsonSchema
    return { name, in: place, required: required.includes(name), ...(description === undefined ? {} : { description }), schema: rest }
  })
}
