import { checkClients, installClients } from './compat/clients.ts'
import { checkJest } from './compat/jest.ts'
import { checkMsw } from './compat/msw.ts'
import { startServer } from './compat/server.ts'
import { createProject, installPackages, packPackage, runCheck, runCommand } from './npm-project.ts'

// Clients are installed while the tarball is built. Then two checks run at a time, because most of
// them use one core.
const clients = installClients()
const tarball = await packPackage()
await Promise.all([
  checkMsw(tarball).then(checkServer),
  checkJest(tarball)
    .then(() => checkScript('clients that retry', 'test/compat/retries'))
    .then(() => checkScript('middleware and adapters of Express 4 and 5', 'test/compat/express')),
])

/** Checks the documents of a server with linters and generated clients. */
async function checkServer({ folder, node }: { folder: string; node: string }): Promise<void> {
  const server = await startServer(folder, node)
  try {
    await checkClients(clients, { server, node })
  } finally {
    server.stop()
  }
}

/** Runs the script of a project that uses the packed package. */
async function checkScript(title: string, files: string): Promise<void> {
  const folder = createProject({ files })
  await runCheck(title, async () => {
    await installPackages(folder, tarball)
    process.stdout.write(await runCommand(process.execPath, ['run.mjs'], folder))
  })
}
