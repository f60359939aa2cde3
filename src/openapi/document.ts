import type { SourceLevel } from '../api/source.ts'
import type { JsonSchema } from './schemas.ts'

/** An OpenAPI 3.1 document, with the fields that this project uses. */
export interface OpenApiDocument {
  openapi: '3.1.0'
  info: {
    title: string
    version: string
    description: string
    license: { name: string; identifier: string }
  }
  servers: { url: string; description: string }[]
  security: SecurityRequirement[]
  tags: { name: string; description: string }[]
  paths: Record<string, PathItem>
  components: {
    securitySchemes: Record<
      string,
      { type: string; description: string; scheme?: string; name?: string; in?: string }
    >
    parameters: Record<string, Parameter>
    responses: Record<string, Response>
    schemas: Record<string, JsonSchema>
  }
}

/** A path's operations, by method in lower case. */
export type PathItem = Record<string, Operation>

/** An operation: a method on a path. */
export interface Operation {
  operationId: string
  tags: string[]
  summary: string
  description: string
  'x-source': SourceLevel
  'x-source-detail'?: string
  /** Evidence for an undocumented route. */
  'x-evidence'?: string
  /** Name of the route in faults and the journal, if an overlay moved the route. */
  'x-route'?: string
  'x-permission'?: string
  /**
   * Codes of the errors that the operation can return. The shared responses have an example for
   * each code.
   */
  'x-errors': readonly string[]
  'x-kind': 'relay' | 'service'
  security?: SecurityRequirement[]
  parameters?: (Parameter | Reference)[]
  requestBody?: { required: boolean; content: Content }
  responses: Record<string, Response | Reference>
}

/** A reference to a component. Its description overrides the description of the component. */
export interface Reference {
  $ref: string
  description?: string
}

/** A parameter in the path, the query or a header. */
export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description?: string
  schema: JsonSchema
  example?: unknown
}

/** A response of an operation. */
export interface Response {
  description: string
  headers?: Record<string, { description: string; schema: JsonSchema; example?: unknown }>
  content?: Content
}

/** Schemas by media type, each with a valid example. */
export type Content = Record<
  string,
  {
    schema: JsonSchema | Reference
    example?: unknown
    /** Several examples, by name. */
    examples?: Readonly<Record<string, { value: unknown }>>
  }
>

type SecurityRequirement = Record<string, string[]>

/** Creates JSON content with the given schema. */
export function toJsonContent(schema: JsonSchema | Reference): Content {
  return { 'application/json': { schema } }
}
