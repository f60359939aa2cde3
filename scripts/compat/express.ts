import { cpSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createProject, installConcurrently, runConcurrently } from '../npm-project.ts'
import { runCheck } from './report.ts'

const project = fileURLToPath(new URL('../../test/compat/express', import.meta.url))

/** The first three use on-headers below 1.1, which patches `writeHead`. */
const packages = [
  'compression@1.7.5',
  'morgan@1.10.0',
  'express-session@1.18.1',
  'serverless-http@3.2.0',
  'node-mocks-http@1.17.2',
]
/** Versions of Express, each with its version of body-parser. */
const versions = [
  ['express@4.21.2', 'body-parser@1.20.3'],
  ['express@5.1.0', 'body-parser@2.2.0'],
] as const

/** Mounts the app behind middleware of Express 4 and 5, and calls it through adapters. */
export async function checkExpress(tarball: string): Promise<void> {
  for (const [express, bodyParser] of versions)
    await runCheck(`${express}: middleware and adapters`, async () => {
      const folder = createProject()
      cpSync(project, folder, { recursive: true })
      await installConcurrently(folder, tarball, express, bodyParser, ...packages)
      await runConcurrently(process.execPath, ['run.mjs'], folder)
    })
}
