import { readFileSync } from 'node:fs'

/** An operation of the API, read from docs/openapi.json. */
export interface Operation {
  id: string
  method: string
  path: string
  /** Name of the API group that contains the operation, such as Posts. */
  group: string
  /** Names of the path parameters, in order. */
  inPath: string[]
  inQuery: Parameter[]
  /** Allowed values of each path parameter that is an enumeration. */
  choices: Record<string, readonly unknown[]>
  hasBody: boolean
}

export interface Parameter {
  name: string
  schema: Schema
}

interface Schema {
  type?: string
  enum?: readonly unknown[]
  maximum?: number
  examples?: readonly unknown[]
}

const methods = ['get', 'head', 'post', 'put', 'patch', 'delete']

/** Reads the API operations, in the order of the document. */
export function readOperations(): Operation[] {
  const document = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as Document
  return Object.entries(document.paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const entry = item[method]
      return entry === undefined ? [] : [toOperation(method, path, entry)]
    }),
  )
}

/** True if the method of an operation does not change data. */
export function isReadOperation({ method }: Operation): boolean {
  return method === 'GET' || method === 'HEAD'
}

function toOperation(method: string, path: string, entry: Entry): Operation {
  const parameters = (entry.parameters ?? []).flatMap((each) =>
    '$ref' in each ? [] : [{ ...each, schema: each.schema ?? {} }],
  )
  return {
    id: entry.operationId,
    method: method.toUpperCase(),
    path,
    group: entry.tags[0] ?? '',
    inPath: [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name),
    inQuery: parameters.filter((each) => each.in === 'query'),
    choices: Object.fromEntries(
      parameters.flatMap(({ in: place, name, schema }) =>
        place === 'path' && schema.enum !== undefined ? [[name, schema.enum]] : [],
      ),
    ),
    hasBody: entry.requestBody !== undefined,
  }
}

interface Document {
  paths: Record<string, Record<string, Entry>>
}

interface Entry {
  operationId: string
  tags: string[]
  parameters?: ({ $ref: string } | (Parameter & { in: string }))[]
  requestBody?: unknown
}
