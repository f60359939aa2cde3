import { join } from 'node:path'
import { checkClients, installClients } from './compat/clients.ts'
import { checkCommonJs } from './compat/commonjs.ts'
import { checkDom } from './compat/dom.ts'
import { checkDocuments, installLinters } from './compat/document.ts'
import { checkExpress } from './compat/express.ts'
import { checkJest } from './compat/jest.ts'
import { checkMsw } from './compat/msw.ts'
import { checkPortman, installPortman } from './compat/portman.ts'
import { checkRetries } from './compat/retries.ts'
import { startServer } from './compat/server.ts'
import { createProject, installPackages, packPackage } from './npm-project.ts'

// Installs everything that does not need the tarball while the tarball is built.
const clients = installClients()
const linters = installLinters()
const portman = installPortman()
const tarball = await packPackage()

// Two checks at a time, because most of them use one core.
await Promise.all([checkLibrary(), checkServer()])

async function checkLibrary(): Promise<void> {
  await checkMsw(tarball)
  await checkCommonJs(tarball)
  await checkJest(tarball)
  await checkRetries(tarball)
  await checkDom(tarball)
  await checkExpress(tarball)
}

/** Checks the documents of a server with linters, contract tests and generated clients. */
async function checkServer(): Promise<void> {
  const host = createProject()
  await installPackages(host, tarball, 'node@24')
  const node = join(host, 'node_modules/node/bin/node')
  const server = await startServer(host, node)
  try {
    await checkDocuments(linters, { server, node })
    await checkPortman(portman, server)
    await server.reset()
    await checkClients(clients, { server, node })
  } finally {
    server.stop()
  }
}
