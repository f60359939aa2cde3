import { createProject, installPackages, runCheck, runCommand } from '../npm-project.ts'

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
      const folder = createProject({ files: 'test/compat/express' })
      await installPackages(folder, tarball, express, bodyParser, ...packages)
      await runCommand(process.execPath, ['run.mjs'], folder)
    })
}
