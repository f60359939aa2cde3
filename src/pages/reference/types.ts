import type { Control } from '../../control/control.ts'
import type {
  OpenApiDocument,
  Operation,
  Parameter,
  Reference,
  Response,
} from '../../openapi/document.ts'
import type { JsonSchema } from '../../openapi/schemas.ts'
import type { SourceLevel } from '../../api/source.ts'

export type { JsonSchema, Parameter, Reference, Response, SourceLevel }

/** The keys and accounts of the sandbox. */
export type About = ReturnType<Control['state']>

/** A document of the server. The control plane's document has no sources. */
export type ApiDocument = Pick<OpenApiDocument, 'info' | 'tags'> & {
  paths: Record<string, Record<string, DescribedOperation>>
  components: Partial<Pick<OpenApiDocument['components'], 'parameters' | 'responses' | 'schemas'>>
}

/** An operation as described in a document. */
export type DescribedOperation = Omit<Operation, 'x-source' | 'x-kind' | 'x-errors'> &
  Partial<Pick<Operation, 'x-source' | 'x-kind' | 'x-errors'>>

/** An operation with its method and path. */
export interface Entry {
  id: string
  /** HTTP method, in upper case. */
  method: string
  /** Path with parameters in braces. */
  path: string
  group: string
  operation: DescribedOperation
}
