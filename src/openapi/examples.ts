import type { Control } from '../control/control.ts'
import type { Route } from '../api/route.ts'
import type { OpenApiDocument, Operation, Parameter, Reference } from './document.ts'
import { toPathTemplate } from './operation.ts'
import type { JsonSchema } from './schemas.ts'
import type { Examples, Samples, RouteGroup } from '../api/resource.ts'
import { allResources } from '../resources/all-resources.ts'
import { words } from './field-examples.ts'

/**
 * Adds examples that readers can send unchanged: strings, and ids of the first rows of the
 * sandbox's first connected account. Only the document of a running server has these examples,
 * because ids differ between sandboxes.
 */
export function addExamples(
  document: OpenApiDocument,
  routes: readonly Route[],
  control: Control,
): OpenApiDocument {
  const { parameters, schemas } = document.components
  const knownIn = readExampleValues(control)
  const groupOf = new Map(
    routes.map(({ method, path, group, examplesOf = group }) => [
      `${method.toLowerCase()} ${toPathTemplate(path)}`,
      examplesOf,
    ]),
  )
  // Their values depend on earlier responses, so only addResponseExamples can find them.
  const prepared = new Set(
    routes.flatMap(({ method, path, prepareExample }) =>
      prepareExample === undefined
        ? []
        : [method, ...(method === 'GET' ? ['HEAD'] : [])].map(
            (each) => `${each.toLowerCase()} ${toPathTemplate(path)}`,
          ),
    ),
  )
  const paths = Object.entries(document.paths).map(([path, item]) => {
    return [
      path,
      Object.fromEntries(
        Object.entries(item).map(([method, operation]) => [
          method,
          prepared.has(`${method} ${path}`)
            ? operation
            : addTo(operation, knownIn(groupOf.get(`${method} ${path}`) ?? ''), schemas),
        ]),
      ),
    ] as const
  })
  const shared = Object.entries(parameters).map(([name, parameter]) => [
    name,
    addParameterExample(parameter, knownIn('').address),
  ])
  return {
    ...document,
    paths: Object.fromEntries(paths),
    components: { ...document.components, parameters: Object.fromEntries(shared) },
  }
}

type Schemas = Readonly<Record<string, JsonSchema>>

function addTo(
  operation: Operation,
  { address, body }: ExampleValues,
  schemas: Schemas,
): Operation {
  const { parameters, requestBody } = operation
  const schema = requestBody?.content['application/json']?.schema
  const resolved = schema === undefined ? undefined : resolve(schema, schemas)
  const example = resolved?.examples?.[0] ?? (resolved && createExampleBody(resolved, body))
  return {
    ...operation,
    ...(parameters === undefined
      ? {}
      : { parameters: parameters.map((parameter) => addParameterExample(parameter, address)) }),
    ...(schema === undefined || example === undefined
      ? {}
      : {
          requestBody: {
            required: true as const,
            content: { 'application/json': { schema, example } },
          },
        }),
  }
}

/**
 * Adds an example to a required parameter. Optional parameters get none, so that the documentation
 * page does not send them.
 */
function addParameterExample<Item extends Parameter | Reference>(
  parameter: Item,
  address: ExampleValues['address'],
): Item {
  if ('$ref' in parameter || !parameter.required || address[parameter.name] === undefined)
    return parameter
  return { ...parameter, example: address[parameter.name] }
}

/**
 * Creates an example body from the required fields and all optional fields with a known value.
 * Returns undefined if the value of a required field is unknown.
 */
function createExampleBody(
  { properties = {}, required = [] }: JsonSchema,
  body: ExampleValues['body'],
): object | undefined {
  const fields = Object.keys(properties).filter(
    (field) => required.includes(field) || body[field] !== undefined,
  )
  if (fields.length === 0 || fields.some((field) => body[field] === undefined)) return undefined
  return Object.fromEntries(fields.map((field) => [field, body[field]]))
}

function resolve(schema: JsonSchema | Reference, schemas: Schemas): JsonSchema {
  const name = schema.$ref?.replace('#/components/schemas/', '')
  return name === undefined ? (schema as JsonSchema) : (schemas[name] ?? {})
}

/**
 * Example values by parameter or body field name, or undefined if the sandbox has no suitable
 * value.
 */
export type ExampleValues = Required<Examples>

/**
 * Reads example values from the first connected account. The returned function selects the values
 * for a group of routes.
 */
export function readExampleValues(control: Control): (group: string) => ExampleValues {
  const account = findAccount(control)
  if (account === undefined) return () => ({ address: {}, body: words })
  const any: Samples['any'] = (table, fields = {}) => findRecord(control, table, fields)
  const samples: Samples = {
    account,
    any,
    own: (table, fields) => any(table, { accountId: account, ...fields }),
  }
  const common = merge([
    { body: words },
    ...allResources.map((resource) => resource.examples?.(samples) ?? {}),
  ])
  const byGroup = new Map(
    Object.entries(groups).map(([name, { examples }]) => [
      name,
      examples === undefined ? common : merge([common, examples(samples)]),
    ]),
  )
  return (group) => byGroup.get(group) ?? common
}

function merge(examples: readonly Examples[]): ExampleValues {
  return {
    address: Object.assign({}, ...examples.map(({ address }) => address)),
    body: Object.assign({}, ...examples.map(({ body }) => body)),
  }
}

/**
 * Returns the first owner's key, or else the first key.
 *
 * @note `control.state()` also returns the keys, but counts all records.
 */
export function findOwnerKey(control: Control): { key: string; organisation: number } {
  const keys = control.data('apiKeys').items as readonly {
    key: string
    role: string
    organisation: number
  }[]
  return keys.find(({ role }) => role === 'owner') ?? keys[0] ?? { key: '', organisation: 0 }
}

/**
 * Finds a connected account in the default key's organisation, preferably one with an active
 * session.
 */
function findAccount(control: Control): number | undefined {
  const { organisation } = findOwnerKey(control)
  const accounts = control.data('accounts', { limit: maxSearched }).items as readonly {
    id: number
    organisation: number
    connected: boolean
    session: string
  }[]
  const candidates = accounts.filter((each) => each.organisation === organisation && each.connected)
  return (candidates.find(({ session }) => session === 'active') ?? candidates[0])?.id
}

/** Number of rows of a table that are searched for an example. Large tables take too long. */
const maxSearched = 10_000

/** Returns the first record with the given fields, or an empty object if there is none. */
function findRecord(
  control: Control,
  table: string,
  fields: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const records = control.data(table, { limit: maxSearched }).items as readonly Readonly<
    Record<string, unknown>
  >[]
  const entries = Object.entries(fields)
  return records.find((record) => entries.every(([name, value]) => record[name] === value)) ?? {}
}

/** Groups of routes, by name in the reference. */
export const groups: Readonly<Record<string, RouteGroup>> = Object.assign(
  {},
  ...allResources.map((resource) => resource.groups),
)
