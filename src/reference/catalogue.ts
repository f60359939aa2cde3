import type {
  ApiDocument,
  Entry,
  JsonSchema,
  Parameter,
  Reference,
  Response,
  SourceLevel,
} from './types.ts'

/** A document, and what the page looks up in it. */
export interface Catalogue {
  document: ApiDocument
  entries: readonly Entry[]
  /** Operations by the name of their group, in the order of the document. */
  groups: ReadonlyMap<string, readonly Entry[]>
  /** How many operations are known how well; none where the document does not say. */
  sources: ReadonlyMap<SourceLevel, number>
  /** What a reference points to; anything else as it is. What stands beside the reference wins. */
  resolve: <Value extends object>(value: Value | Reference) => Value
}

/** Reads a document into what the page shows. */
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
    resolve: (value) => resolveIn(document, value) as never,
  }
}

const sourceLevels: readonly SourceLevel[] = ['documented', 'published', 'observed', 'inferred']

/**
 * The operation that an address names, by its id or by its method and path: the console knows
 * routes by these.
 */
export function findEntry({ entries }: Catalogue, name: string): Entry | undefined {
  const route = toRoute(name)
  return entries.find(
    (entry) =>
      entry.id === name ||
      routeOf(entry) === route ||
      toRoute(`${entry.method} ${entry.path}`) === route,
  )
}

/** How faults and the journal name the route of an operation. */
export function routeOf({ method, path, operation }: Entry): string {
  return operation['x-route'] ?? toRoute(`${method} ${path}`)
}

function toRoute(text: string): string {
  return text.replace(/\{(\w+)\}/g, ':$1')
}

/** The parameters of an operation. */
export function parametersOf({ resolve }: Catalogue, { operation }: Entry): Parameter[] {
  return (operation.parameters ?? []).map((parameter) => resolve<Parameter>(parameter))
}

/** What a body or an answer holds. */
export interface Held {
  /** The media type. */
  type: string
  schema: JsonSchema
  example: unknown
}

/** The body that an operation takes; undefined without one. */
export function bodyOf({
  operation: { requestBody },
}: Entry): (Held & { isRequired: boolean }) | undefined {
  const [held] = contentOf(requestBody ?? {})
  return held === undefined || requestBody === undefined
    ? undefined
    : { ...held, isRequired: requestBody.required }
}

/** What a body or an answer holds, by media type. */
export function contentOf({ content = {} }: Pick<Response, 'content'>): Held[] {
  return Object.entries(content).map(([type, { schema, example }]) => ({
    type,
    schema: schema as JsonSchema,
    example,
  }))
}

/** The answers of an operation by their status. */
export function answersOf({ resolve }: Catalogue, { operation }: Entry): [string, Response][] {
  return Object.entries(operation.responses).map(([status, response]) => [
    status,
    resolve<Response>(response),
  ])
}

function resolveIn({ components }: ApiDocument, value: object): object {
  if (!('$ref' in value) || typeof value.$ref !== 'string') return value
  const [, kind = '', name = ''] = /^#\/components\/(\w+)\/(.+)$/.exec(value.$ref) ?? []
  const { $ref: _, ...beside } = value
  const found =
    (components as Record<string, Record<string, object> | undefined>)[kind]?.[name] ?? {}
  return { ...resolveIn({ components } as ApiDocument, found), ...beside }
}
