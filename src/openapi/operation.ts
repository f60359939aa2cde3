import { getOwnProperty } from '../lib/plain-json.ts'
import type { z } from 'zod'
import type { Route } from '../api/route.ts'
import { getSourceLevel } from '../api/source.ts'
import type { RouteSource } from '../api/source.ts'
import { toJsonContent } from './document.ts'
import type { Content, Operation, Parameter, Reference } from './document.ts'
import { inAddress } from './field-examples.ts'
import { toOperationId } from './operation-id.ts'
import { listErrorCodes, requiresSession } from './errors.ts'
import { toHeadResponses, toResponses } from './responses.ts'
import { wrapReferenceInAllOf, addExample } from './schemas.ts'
import type { JsonSchema, SchemaWriter } from './schemas.ts'

const accountParameter = 'account_id'

const pathIdSchema: JsonSchema = {
  type: 'integer',
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  format: 'int64',
  examples: [101],
}

/** The account parameter. Most paths start with it. */
export const accountIdComponent: { AccountId: Parameter } = {
  AccountId: {
    name: accountParameter,
    in: 'path',
    required: true,
    description: 'Id of a connected account.',
    schema: pathIdSchema,
  },
}

/** Converts a route to an operation of the document. */
export function toOperation(route: Route, writer: SchemaWriter): Operation {
  const { group, summary, permission, kind, accessChecks } = route
  const parameters = toParameters(route, writer)
  return {
    operationId: toOperationId(route),
    tags: [group],
    summary,
    description: describe(route, describeSource(route)),
    ...toSourceFields(route.source),
    ...(route.evidence === undefined ? {} : { 'x-evidence': route.evidence }),
    ...(route.id === `${route.method} ${route.path}` ? {} : { 'x-route': route.id }),
    ...(permission === null ? {} : { 'x-permission': permission }),
    'x-kind': kind,
    ...(accessChecks === 'none' ? { security: [] } : {}),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...toRequestBody(route, writer),
    'x-errors': listErrorCodes(route),
    responses: toResponses(route, writer),
  }
}

/**
 * Creates a route's `HEAD` operation, which returns only headers. The reference does not mention
 * `HEAD`.
 */
export function toHeadOperation(route: Route, writer: SchemaWriter): Operation {
  const {
    operationId: _get,
    summary,
    'x-source-detail': _section,
    'x-route': _route,
    ...operation
  } = toOperation(route, writer)
  const evidence = 'by analogy with GET'
  return {
    operationId: toOperationId({ ...route, method: 'HEAD' }),
    ...operation,
    summary: `${summary}: headers only`,
    description: describe(route, describeSource({ source: 'inferred', evidence })),
    'x-source': 'inferred',
    'x-evidence': evidence,
    responses: toHeadResponses(route, writer),
  }
}

/** Converts a path to OpenAPI syntax: `:account_id` becomes `{account_id}`. */
export function toPathTemplate(path: string): string {
  return path.replace(/:(\w+)/g, '{$1}')
}

/** Returns a route's source level and its section in the reference. */
export function toSourceFields(
  source: RouteSource,
): Pick<Operation, 'x-source' | 'x-source-detail'> {
  const [, ...detail] = source.split(' ')
  return {
    'x-source': getSourceLevel(source),
    ...(detail.length === 0 ? {} : { 'x-source-detail': detail.join(' ') }),
  }
}

/** Describes the source of a route. */
export function describeSource({ source, evidence }: Pick<Route, 'source' | 'evidence'>): string {
  const { 'x-source': level, 'x-source-detail': section } = toSourceFields(source)
  const detail = section ?? evidence
  return detail === undefined ? level : `${level}: ${detail}`
}

function describe(
  { path, permission, kind, accessChecks, rules = [] }: Route,
  source: string,
): string {
  const admission =
    accessChecks === 'none' ? 'Needs no API key.' : `Requires permission \`${permission}\`.`
  const session = requiresSession({ path, kind })
    ? " Relay route: returns 424 if the account's upstream session has lapsed."
    : ' Works without the upstream session.'
  const list = rules.length === 0 ? [] : [rules.map((rule) => `- ${rule}`).join('\n')]
  return [admission + (accessChecks === 'none' ? '' : session), ...list, `Source: ${source}.`].join(
    '\n\n',
  )
}

function toRequestBody(route: Route, writer: SchemaWriter): Pick<Operation, 'requestBody'> {
  const { body, fileLimit } = route
  if (body === null) return {}
  const id = toOperationId(route)
  const name = `${id.charAt(0).toUpperCase()}${id.slice(1)}Body`
  const content: Content =
    fileLimit === undefined ? toJsonContent(writer.name(name, writer.write(body, 'body'))) : anyFile
  return { requestBody: { required: true, content } }
}

const anyFile = { '*/*': { schema: { type: 'string' as const, format: 'binary' } } }

function toParameters(
  { path, params, query, data, fileLimit }: Route,
  writer: SchemaWriter,
): (Parameter | Reference)[] {
  const named = new Map(
    toPropertyParameters(params, 'path', writer).map((parameter) => [parameter.name, parameter]),
  )
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) =>
    name === accountParameter
      ? { $ref: '#/components/parameters/AccountId' }
      : (named.get(name) ?? createUnknownParameter(name)),
  )
  const range: Parameter[] =
    data === null && fileLimit === undefined
      ? [
          {
            name: 'Range',
            in: 'header',
            required: false,
            description: 'One range of bytes.',
            schema: { type: 'string', examples: ['bytes=0-1023'], 'x-source': 'inferred' },
          },
        ]
      : []
  return [...inPath, ...toPropertyParameters(query, 'query', writer), ...range]
}

/** Creates a path parameter of which only the name is known. */
export function createUnknownParameter(name: string): Parameter {
  return {
    name,
    in: 'path',
    required: true,
    schema: addExample({ type: 'string' }, getOwnProperty(inAddress, name)),
  }
}

/** Converts a schema's fields to parameters. */
export function toPropertyParameters(
  schema: z.ZodType,
  place: 'path' | 'query',
  writer: SchemaWriter,
): Parameter[] {
  const { properties: fields = {}, required = [] } = writer.write(schema, 'address')
  return Object.entries(fields).map(([name, field]) => {
    const { description, ...schema } = field as JsonSchema
    return {
      name,
      in: place,
      required: required.includes(name),
      ...(description === undefined ? {} : { description }),
      schema: addExample(wrapReferenceInAllOf(schema), getOwnProperty(inAddress, name)),
    }
  })
}
