import { cpSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createProject, installConcurrently, runConcurrently } from '../npm-project.ts'
import { runCheck } from './report.ts'

const project = fileURLToPath(new URL('../../test/compat/retries', import.meta.url))

/**
 * Drops the connections of clients that retry. Checks that the clients behave the same with a
 * server, in process and with MSW.
 */
export async function checkRetries(tarball: string): Promise<void> {
  const folder = createProject()
  cpSync(project, folder, { recursive: true })
  await runCheck('clients that retry', async () => {
    await installConcurrently(folder, tarball)
    process.stdout.write(await runConcurrently(process.execPath, ['run.mjs'], folder))
  })
}
