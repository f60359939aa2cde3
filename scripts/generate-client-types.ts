import { execFileSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { GeneratedFile } from './generated-file.ts'
import { openApi } from './generate-openapi.ts'

const example = new URL('../examples/typed-client/', import.meta.url)

/**
 * Generates the API types for typed clients, `creator-api-sandbox/schema`, from the OpenAPI
 * document.
 */
export function generateClientTypes(): GeneratedFile[] {
  // The generator needs TypeScript 5, so it is installed with the typed-client example and runs in
  // a separate process.
  const manifest = createRequire(new URL('package.json', example)).resolve(
    'openapi-typescript/package.json',
  )
  const content = execFileSync(process.execPath, [join(dirname(manifest), 'bin/cli.js')], {
    cwd: fileURLToPath(example),
    input: JSON.stringify(openApi),
    encoding: 'utf8',
  })
  return [{ path: 'src/generated/schema.ts', content }]
}
