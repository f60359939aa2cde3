import type {
  ApiDocument,
  Entry,
  JsonSchema,
  Parameter,
  Reference,
  Response,
  SourceLevel,
} from './types.ts'

/** An API document with lookup tables. */
export interface Catalogue {
  document: ApiDocument
  entries: readonly Entry[]
  /** Operations by group name, in the order of the document. */
  groups: ReadonlyMap<string, readonly Entry[]>
  /** Number of operations by source level. Empty if the document has no sources. */
  sources: ReadonlyMap<SourceLevel, number>
  /**
   * Resolves a reference, and returns other values unchanged. Keywords next to the reference take
   * precedence.
   */
  resolve: <Value extends object>(value: Value | Reference) => Value
}

/** Builds the page's lookup tables for a document. */
export function createCatalogue(document: ApiDocument): Catalogue {
  const entries = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => {
      return {
        id: operation.operationId,
        method: method.toUpperCase(),
        path,
        group: operation.tags[0] ?? 'Others',
        operation,
      }
    }),
  )
  const groups = new Map(
    document.tags.map(({ name }) => [name, entries.filter(({ group }) => group === name)]),
  )
  const levels = entries.flatMap(({ operation }) => operation['x-source'] ?? [])
  const sources = new Map(
    sourceLevels.map((level) => [level, levels.filter((each) => each === level).length] as const),
  )
  return {
    document,
    entries,
    groups,
    sources: new Map([...sources].filter(([, count]) => count > 0)),
    resolve: (value) => resolveReference(document, value) as never,
  }
}

const sourceLevels: readonly SourceLevel[] = ['documented', 'published', 'observed', 'inferred']

/** Finds an operation by id, or by the method and path that the console uses. */
export function findEntry({ entries }: Catalogue, name: string): Entry | undefined {
  const route = toRoute(name)
  return entries.find(
    (entry) =>
      entry.id === name ||
      getRouteName(entry) === route ||
      toRoute(`${entry.method} ${entry.path}`) === route,
  )
}

/** Returns the route name of an operation, as used in faults and the journal. */
export function getRouteName({ method, path, operation }: Entry): string {
  return operation['x-route'] ?? toRoute(`${method} ${path}`)
}

function toRoute(text: string): string {
  return text.replace(/\{(\w+)\}/g, ':$1')
}

/** Returns an operation's parameters. */
export function getParameters({ resolve }: Catalogue, { operation }: Entry): Parameter[] {
  return (operation.parameters ?? []).map((parameter) => resolve<Parameter>(parameter))
}

/** Content of a request body or response. */
export interface MediaContent {
  type: string
  schema: JsonSchema
  example: unknown
  /** Examples by name. For an error response, the names are error codes. */
  examples: Readonly<Record<string, { value: unknown }>>
}

/** Returns an operation's request body, or undefined if it has none. */
export function getRequestBody({
  operation: { requestBody },
}: Entry): (MediaContent & { isRequired: boolean }) | undefined {
  const [held] = getContent(requestBody ?? {})
  return held === undefined || requestBody === undefined
    ? undefined
    : { ...held, isRequired: requestBody.required }
}

/** Returns the content of a request body or response, by media type. */
export function getContent({ content = {} }: Pick<Response, 'content'>): MediaContent[] {
  return Object.entries(content).map(([type, { schema, example, examples = {} }]) => ({
    type,
    schema: schema as JsonSchema,
    example,
    examples,
  }))
}

/** Returns an operation's responses by status. */
export function getResponses({ resolve }: Catalogue, { operation }: Entry): [string, Response][] {
  return Object.entries(operation.responses).map(([status, response]) => [
    status,
    resolve<Response>(response),
  ])
}

/** An error code with an example of the error body. */
export type ErrorExample = readonly [code: string, body: unknown]

/** Returns an operation's errors that a response covers, errors specific to the operation first. */
export function getErrors({ operation }: Entry, answer: Response): ErrorExample[] {
  const examples = listErrorExamples(answer)
  return (operation['x-errors'] ?? [])
    .flatMap((code) => examples.filter(([example]) => example === code))
    .map(([code, body]) => [code, withPermission(code, body, operation['x-permission'])])
}

/**
 * Returns the example with the permission of the operation, because all operations share the
 * examples of a status.
 */
function withPermission(code: string, body: unknown, permission: string | undefined): unknown {
  if (code !== 'permission_missing' || permission === undefined) return body
  return JSON.parse(JSON.stringify(body).replace(/(the permission )\w+/, `$1${permission}`))
}

/** Lists all errors in the document by status. */
export function listAllErrors({
  document,
  entries,
  resolve,
}: Catalogue): [string, ErrorExample[]][] {
  const statusOf = new Map(
    entries.flatMap(({ operation }) =>
      Object.entries(operation.responses).map(
        ([status, response]) => [resolve<Response>(response).content, status] as const,
      ),
    ),
  )
  return Object.values(document.components.responses ?? {})
    .map((answer): [string, ErrorExample[]] => [
      statusOf.get(answer.content) ?? '',
      listErrorExamples(answer),
    ])
    .filter(([status, errors]) => status !== '' && errors.length > 0)
}

function listErrorExamples(answer: Response): ErrorExample[] {
  return getContent(answer).flatMap(({ examples }) =>
    Object.entries(examples).map(([code, { value }]): ErrorExample => [code, value]),
  )
}

function resolveReference({ components }: ApiDocument, value: object): object {
  if (!('$ref' in value) || typeof value.$ref !== 'string') return value
  const [, kind = '', name = ''] = /^#\/components\/(\w+)\/(.+)$/.exec(value.$ref) ?? []
  const { $ref: _, ...siblings } = value
  const found =
    (components as Record<string, Record<string, object> | undefined>)[kind]?.[name] ?? {}
  return { ...resolveReference({ components } as ApiDocument, found), ...siblings }
}
