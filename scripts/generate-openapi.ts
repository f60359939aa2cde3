import { createOpenApi } from '../src/openapi/openapi.ts'
import { routes } from '../src/resources/all-resources.ts'
import { formatJson } from './generated-file.ts'
import type { GeneratedFile } from './generated-file.ts'

/** The OpenAPI document that the server serves by default. */
export const openApi = createOpenApi(routes, { baseUrl: 'http://127.0.0.1:4010' })

/** Generates the OpenAPI document. */
export function generateOpenApi(): GeneratedFile[] {
  return [{ path: 'docs/openapi.json', content: formatJson(openApi) }]
}
