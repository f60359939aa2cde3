import type { Control } from '../control/control.ts'
import type { Route } from '../api/route.ts'
import type { OpenApiDocument, Operation, Parameter, Reference } from './document.ts'
import { readExampleValues } from './example-values.ts'
import type { ExampleValues } from './example-values.ts'
import { toPathTemplate } from './operation.ts'
import type { JsonSchema } from './schemas.ts'

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
