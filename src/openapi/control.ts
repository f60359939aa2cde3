import { controlPrefix } from '../control/control-plane.ts'
import { controlRoutes } from '../control/routes/all-routes.ts'
import type { ControlRoute } from '../control/routes/route.ts'
import { toJsonContent } from './document.ts'
import type { OpenApiDocument, Operation, Parameter } from './document.ts'
import { createUnknownParameter, toPathTemplate, toPropertyParameters } from './operation.ts'
import { SchemaWriter } from './schemas.ts'
import type { JsonSchema } from './schemas.ts'

/** OpenAPI document of the control plane, with the fields that this project uses. */
export type ControlDocument = Pick<
  OpenApiDocument,
  'openapi' | 'info' | 'servers' | 'security' | 'tags'
> & {
  paths: Record<string, Record<string, ControlOperation>>
  components: Pick<OpenApiDocument['components'], 'securitySchemes' | 'responses'>
}

/** A control plane operation: a method on a path. */
export type ControlOperation = Pick<
  Operation,
  'operationId' | 'tags' | 'summary' | 'description' | 'requestBody' | 'responses'
> & {
  parameters?: Parameter[]
}

/**
 * Creates the OpenAPI 3.1 document of the control plane, which is separate from the API's document.
 */
export function createControlOpenApi({ baseUrl }: { baseUrl: string }): ControlDocument {
  const writer = new SchemaWriter()
  const paths: ControlDocument['paths'] = {}
  for (const route of controlRoutes) {
    const path = (paths[`${controlPrefix}${toPathTemplate(route.path)}`] ??= {})
    path[route.method.toLowerCase()] = toOperation(route, writer)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Control plane of the sandbox',
      version: '1',
      description:
        'Controls a sandbox over HTTP: its clock, faults, actions, data and stories. Needs no ' +
        'API key. Returns 403 for a Host or Origin that is not allowed.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: baseUrl, description: 'The sandbox.' }],
    security: [{}, { token: [] }],
    tags: [{ name: 'Control', description: 'The sandbox itself.' }],
    paths,
    components: {
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          description: 'The control token of the server, if it has one.',
        },
      },
      responses: {
        Refused: {
          description: 'The input is invalid, or the record does not exist.',
          content: toJsonContent(errorSchema),
        },
        Failed: { description: 'The sandbox failed.', content: toJsonContent(errorSchema) },
      },
    },
  }
}

/** Ids of operations, by method and path. */
const ids: Readonly<Record<string, string>> = {
  'GET /events': 'followEvents',
  'GET /data': 'listTables',
  'GET /data/:table': 'listRecords',
  'GET /data/:table/:id': 'getRecord',
  'POST /data/:table': 'addRecord',
  'PATCH /data/:table/:id': 'changeRecord',
  'DELETE /data/:table/:id': 'removeRecord',
  'POST /changes': 'rememberRecords',
  'GET /changes': 'listChanges',
  'POST /reset': 'resetSandbox',
  'POST /clock': 'moveClock',
  'POST /actions': 'doActions',
  'GET /actions': 'listActions',
  'GET /happenings': 'listHappenings',
  'POST /replay': 'directReplay',
  'GET /faults': 'listFaults',
  'POST /faults': 'addFault',
  'DELETE /faults': 'clearFaults',
  'DELETE /faults/:id': 'removeFault',
  'GET /requests': 'listRequests',
  'DELETE /requests': 'clearRequests',
  'GET /routes': 'listRoutes',
  'PUT /snapshot': 'restoreSnapshot',
  'POST /snapshots': 'keepSnapshot',
  'GET /snapshots': 'listSnapshots',
  'POST /snapshots/:id': 'restoreKeptSnapshot',
  'DELETE /snapshots/:id': 'removeSnapshot',
  'GET /scenarios': 'listScenarios',
  'PUT /scenario': 'loadScenario',
  'GET /worlds': 'listWorlds',
  'POST /worlds': 'createWorld',
  'DELETE /worlds/:id': 'removeWorld',
}

const aboutField = 'Path of the input field that caused the error, if a single field caused it.'
const errorSchema: JsonSchema = {
  type: 'object',
  properties: { error: { type: 'string' }, field: { type: 'string', description: aboutField } },
  required: ['error'],
}

function toOperation(
  { id, method, path, summary, query, body, isBodyOptional = false, text }: ControlRoute,
  writer: SchemaWriter,
): ControlOperation {
  const parameters = [
    ...[...path.matchAll(/:(\w+)/g)].map(([, name = '']) => createUnknownParameter(name)),
    ...toPropertyParameters(query, 'query', writer),
  ]
  const textType = path === '/events' ? 'text/event-stream' : text?.contentType
  const content =
    textType === undefined
      ? toJsonContent({})
      : { [textType]: { schema: { type: 'string' as const } } }
  return {
    operationId: ids[id] ?? toId(method, path),
    tags: ['Control'],
    summary,
    description: `${summary}.`,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === null
      ? {}
      : {
          requestBody: {
            required: !isBodyOptional,
            content: toJsonContent(writer.write(body, 'body')),
          },
        }),
    responses: {
      200: { description: 'Done.', content },
      '4XX': { $ref: '#/components/responses/Refused' },
      '5XX': { $ref: '#/components/responses/Failed' },
    },
  }
}

function toId(method: string, path: string): string {
  const words = path.split('/').filter((word) => word !== '' && !word.startsWith(':'))
  return (
    method.toLowerCase() +
    words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
  )
}
