import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createProject, installPackages, runCheck, runCommand } from '../npm-project.ts'
import type { RunningServer } from './server.ts'

/**
 * Operations that cannot be tested with a single request. For media links, Postman encodes the URL
 * a second time, which invalidates the signature. The other operations need the result of an
 * earlier request, so the document has no examples for them.
 */
const excluded = [
  'GET::/media-proxy',
  'HEAD::/media-proxy',
  'PUT::/upload/{world}/{upload_id}/{part_number}',
  'POST::/v1/{account_id}/upload/signed/finish',
  'DELETE::/v1/{account_id}/messages/{message_id}',
]

/**
 * Installs Portman, which creates contract tests from an OpenAPI document, and newman, which runs
 * them.
 */
export function installPortman(): { folder: string; done: Promise<unknown> } {
  const folder = createProject({ files: 'test/compat/portman' })
  return { folder, done: installPackages(folder) }
}

/**
 * Runs contract tests for all operations against a server. The server is reset before each request.
 */
export async function checkPortman(
  { folder, done }: ReturnType<typeof installPortman>,
  { url, key }: RunningServer,
): Promise<void> {
  if (!(await runCheck('portman: installs', () => done))) return
  const document = await (await fetch(`${url}/openapi.json`)).text()
  writeFileSync(join(folder, 'openapi.json'), document)
  writeFileSync(join(folder, 'portman.json'), JSON.stringify(toConfiguration(key)))
  await runCheck('portman: the contract tests pass in newman', async () => {
    const portman = ['--local', 'openapi.json', '--portmanConfigFile', 'portman.json']
    const output = ['--baseUrl', url, '--output', 'collection.json']
    await runCommand('npx', ['portman', ...portman, ...output], folder)
    await runCommand('npx', ['newman', 'run', 'collection.json', '--reporters', 'cli'], folder)
  })
}

function toConfiguration(key: string) {
  const enabled = { enabled: true }
  return {
    version: 1,
    tests: {
      contractTests: [
        {
          openApiOperation: '*::/*',
          excludeForOperations: excluded,
          statusSuccess: enabled,
          contentType: enabled,
          jsonBody: enabled,
          schemaValidation: enabled,
        },
      ],
    },
    globals: {
      collectionPreRequestScripts: [
        "pm.sendRequest({ url: pm.collectionVariables.get('baseUrl') + '/_sandbox/reset', method: 'POST' }, () => {})",
      ],
      securityOverwrites: { apiKey: { key: 'X-API-Key', value: key, in: 'header' } },
    },
  }
}
