import type { Route } from '../src/api/route.ts'
import { getSourceLevel } from '../src/api/source.ts'
import type { SourceLevel } from '../src/api/source.ts'
import { maxQueryLength } from '../src/lib/fields.ts'
import type { Operation, Parameter, Response } from '../src/openapi/document.ts'
import { describeSource, toPathTemplate } from '../src/openapi/operation.ts'
import { routes } from '../src/resources/all-resources.ts'
import { openApi } from './generate-openapi.ts'
import type { GeneratedFile } from './generated-file.ts'
import { formatFieldLine, listFields } from './json-schema.ts'
import type { Shape } from './json-schema.ts'
import { formatMarkdownTable, updatePage } from './markdown.ts'

const head = ['Route', 'Permission', 'Kind', 'Source', 'Rules', 'Response']
const inputHead = ['Route', 'Query parameters', 'Body fields']

/**
 * Generates the page of routes. It lists the permission, the kind, the source, the rules, the query
 * parameters, the body fields and the response of each route, and the fields of all models.
 */
export function generateRoutes(): GeneratedFile[] {
  const shapes = openApi.components.schemas as Readonly<Record<string, Shape>>
  const toInputRow = (route: Route): string[] => {
    const operation = openApi.paths[toPathTemplate(route.path)]?.[route.method.toLowerCase()]
    const [query, body] = listInput(operation as Operation, shapes)
    return [`\`${route.method} ${toPathTemplate(route.path)}\``, ...[query, body].map(formatFields)]
  }
  const toRowWithResponse = (route: Route): string[] => {
    const operation = openApi.paths[toPathTemplate(route.path)]?.[route.method.toLowerCase()]
    return [...toRow(route), describeResponse(operation as Operation)]
  }
  const groups = [...new Set(routes.map(({ group }) => group))]
  const tables = groups.map((group) => {
    const ofGroup = routes.filter((route) => route.group === group)
    const inputs = ofGroup.map(toInputRow).filter(([, query, body]) => query !== '' || body !== '')
    return [
      `## ${group}\n`,
      formatMarkdownTable(head, ofGroup.map(toRowWithResponse)),
      ...(inputs.length === 0 ? [] : [formatMarkdownTable(inputHead, inputs)]),
    ].join('\n')
  })
  const page = updatePage('docs/routes.md', {
    '# Routes': [...tables, formatModels(shapes)].join('\n'),
  })
  const content = page.content
    .replace(/^\d+ routes: .*$/m, countRoutes())
    .replace(/(?<=Strings in the query have at most )[\d,]+/, maxQueryLength.toLocaleString('en'))
  return [{ ...page, content }]
}

/** Returns the schemas of an operation's query and body, without references. */
function listInput(
  { parameters = [], requestBody }: Operation,
  shapes: Readonly<Record<string, Shape>>,
): [query: Shape, body: Shape] {
  const inQuery = parameters.filter(
    (parameter): parameter is Parameter => 'in' in parameter && parameter.in === 'query',
  )
  const query = {
    properties: Object.fromEntries(
      inQuery.map(({ name, description, schema }) => [
        name,
        {
          ...schema,
          description,
          maxLength: schema.maxLength === maxQueryLength ? undefined : schema.maxLength,
        },
      ]),
    ),
    required: inQuery.filter(({ required }) => required).map(({ name }) => name),
  }
  const body = requestBody?.content['application/json']?.schema ?? {}
  return [query, body].map((shape) => resolveReferences(shape as Shape, shapes)) as [Shape, Shape]
}

/** Describes the data of a successful JSON response: the name of a model, or the fields. */
function describeResponse({ responses }: Operation): string {
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1]
  const content = (success as Response | undefined)?.content ?? {}
  const schema = content['application/json']?.schema as Shape | undefined
  if (schema === undefined) return Object.keys(content).join(', ')
  return nameType(schema.properties?.['data'] ?? schema)
}

/** Names the type of a field of a response. Lists the fields of objects that are not models. */
function nameType({
  required,
  $ref,
  allOf,
  anyOf,
  items,
  properties,
  type,
  additionalProperties,
}: Shape): string {
  const parts = anyOf ?? (allOf?.length === 1 ? allOf : undefined)
  if ($ref !== undefined) return `\`${$ref.split('/').at(-1)}\``
  if (parts !== undefined) return [...new Set(parts.map(nameType))].join(' or ')
  if (items !== undefined) return `list of ${nameType(items)}`
  if (properties !== undefined) return nameFields(properties, required)
  if (typeof additionalProperties === 'object')
    return `map of ${nameType(additionalProperties as Shape)}`
  return Array.isArray(type) ? type.join(' or ') : String(type ?? 'any value')
}

/**
 * Lists fields. Names the types of those that are objects or lists of objects, and marks fields that
 * may be missing or null.
 */
function nameFields(
  properties: Readonly<Record<string, Shape>>,
  required: readonly string[] = [],
): string {
  return Object.entries(properties)
    .map(([name, shape]) => {
      const field = `\`${name}${required.includes(name) ? '' : '?'}\``
      const typeName = nameType(removeNull(shape))
      const type = typeName.includes('`') ? ` (${typeName})` : ''
      return `${field}${type}${isNullable(shape) ? ' *or null*' : ''}`
    })
    .join(', ')
}

function isNullable({ type, anyOf = [] }: Shape): boolean {
  return type === 'null' || type?.includes('null') === true || anyOf.some(isNullable)
}

function removeNull({ anyOf, ...shape }: Shape): Shape {
  const parts = anyOf?.filter(({ type }) => type !== 'null')
  return parts === undefined ? shape : { ...shape, anyOf: parts }
}

/** Lists the fields of all models, except those of bodies, which are listed with their routes. */
function formatModels(shapes: Readonly<Record<string, Shape>>): string {
  const rows = Object.entries(shapes)
    .filter(([name]) => !name.endsWith('Body'))
    .map(([name, shape]) => [`\`${name}\``, nameType(shape)])
    .filter(([, fields = '']) => fields.includes('`'))
  return `## Models\n\nFields of the responses. \`/docs\` and [openapi.json](openapi.json) also have their types and descriptions. A field with \`?\` may be missing, and a field with *or null* may be null.\n\n${formatMarkdownTable(['Model', 'Fields'], rows)}`
}

function resolveReferences(shape: Shape, shapes: Readonly<Record<string, Shape>>): Shape {
  return JSON.parse(JSON.stringify(shape), (_key, value: Shape | null) => {
    const { $ref, allOf, ...own } = value ?? {}
    if (allOf?.length === 1) return { ...allOf[0], ...own }
    const named = $ref === undefined ? undefined : shapes[$ref.split('/').at(-1) ?? '']
    return named === undefined ? value : { ...resolveReferences(named, shapes), ...own }
  }) as Shape
}

function formatFields(shape: Shape): string {
  return listFields(shape, true).map(formatFieldLine).join('<br>')
}

function countRoutes(): string {
  const count = (level: SourceLevel) =>
    routes.filter(({ source }) => getSourceLevel(source) === level).length
  const operations = routes.length + routes.filter(({ head: hasHead }) => hasHead).length
  return `${routes.length} routes: ${count('documented')} documented, ${count('published')} published, ${count('inferred')} inferred. [openapi.json](openapi.json) has ${operations} operations, because it counts \`HEAD\` separately.`
}

function toRow({
  method,
  path,
  permission,
  kind,
  source,
  evidence,
  summary,
  rules = [],
  head: hasHead,
  accessChecks,
}: Route): string[] {
  const name = `\`${method} ${toPathTemplate(path)}\`${hasHead === true ? ' and `HEAD`' : ''}`
  return [
    `${name}<br>${summary}`,
    permission === null ? 'none' : `\`${permission}\``,
    accessChecks === 'none' ? 'open' : kind,
    describeSource({ source, evidence }),
    rules.join(' '),
  ]
}
