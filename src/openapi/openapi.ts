import type { Route } from '../api/route.ts'
import type { OpenApiDocument, PathItem } from './document.ts'
import { groups } from './examples.ts'
import { accountIdComponent, toHeadOperation, toOperation, toPathTemplate } from './operation.ts'
import { yieldToEventLoop } from '../lib/yield-to-event-loop.ts'
import { createErrorComponents } from './responses.ts'
import { SchemaWriter } from './schemas.ts'

/** Date of the latest API release in the reference. */
const release = '2026-09-22'

// Splits long lines across several strings, because line breaks inside a string would appear in the
// document.
const description = [
  'The Creator Analytics and Management API, as the sandbox implements it.\n',
  "\nRelay routes pass a request on to the platform and need the account's upstream session; ",
  "service routes return the service's own data. Every\n",
  'successful response has an envelope with `data`, `_meta` and, on paginated routes, ' +
    '`_pagination`; ',
  'every error is `{"error": "…"}`.\n',
  '\nAn operation with `x-source: documented` is in the reference, and `x-source-detail` names ' +
    'the section; ',
  "one with `x-source: published` is in the\nservice's older public documentation. ",
  'If neither covers a case, the sandbox chooses the strictest interpretation. Operations, ' +
    'schemas and fields\n',
  'based on an interpretation have `x-source: inferred`. The wording of all errors is inferred.',
].join('')

/** Creates the OpenAPI 3.1 document of the routes. */
export function createOpenApi(
  routes: readonly Route[],
  options: { baseUrl: string },
): OpenApiDocument {
  const writer = new SchemaWriter()
  const paths: Paths = {}
  for (const route of routes) addRoute(paths, route, writer)
  return toDocument(routes, paths, { ...options, writer })
}

/** Like `createOpenApi`, but pauses after each route so that a server can handle other requests. */
export async function createOpenApiWithPauses(
  routes: readonly Route[],
  options: { baseUrl: string },
): Promise<OpenApiDocument> {
  const writer = new SchemaWriter()
  const paths: Paths = {}
  for (const route of routes) {
    addRoute(paths, route, writer)
    await yieldToEventLoop()
  }
  return toDocument(routes, paths, { ...options, writer })
}

type Paths = Record<string, PathItem>

function addRoute(paths: Paths, route: Route, writer: SchemaWriter): void {
  const path = (paths[toPathTemplate(route.path)] ??= {})
  path[route.method.toLowerCase()] = toOperation(route, writer)
  if (route.head === true) path['head'] = toHeadOperation(route, writer)
}

function toDocument(
  routes: readonly Route[],
  paths: Paths,
  { baseUrl, writer }: { baseUrl: string; writer: SchemaWriter },
): OpenApiDocument {
  const responses = createErrorComponents(writer)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Creator Analytics and Management API',
      version: release,
      description,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: baseUrl, description: 'The sandbox.' }],
    security: [{ bearer: [] }, { apiKey: [] }],
    tags: [...new Set(routes.map(({ group }) => group))].map((name) => ({
      name,
      description: groups[name]?.about ?? `${name}.`,
    })),
    paths,
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'The API key as `Authorization: Bearer <API_KEY>`.',
        },
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'X-API-Key',
          description:
            'The API key in a separate header. If both are sent, Authorization takes precedence.',
        },
      },
      parameters: { ...accountIdComponent },
      responses,
      schemas: writer.components(),
    },
  }
}
