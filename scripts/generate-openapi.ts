import { createOpenApi } from '../src/openapi/openapi.ts'
import { routes } from '../src/resources/all-resources.ts'
import type { GeneratedFile } from './generate-media.ts'

/** Generates the OpenAPI document that the server serves by default. */
export function generateOpenApi(): GeneratedFile[] {
  const document = createOpenApi(routes, { baseUrl: 'http://127.0.0.1:4010' })
  return [{ path: 'docs/openapi.json', content: `${JSON.stringify(document, null, 2)}\n` }]
}
