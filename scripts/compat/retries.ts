import { createProject, installPackages, runCheck, runCommand } from '../npm-project.ts'

/**
 * Drops the connections of clients that retry. Checks that the clients behave the same with a
 * server, in process and with MSW.
 */
export async function checkRetries(tarball: string): Promise<void> {
  const folder = createProject({ files: 'test/compat/retries' })
  await runCheck('clients that retry', async () => {
    await installPackages(folder, tarball)
    process.stdout.write(await runCommand(process.execPath, ['run.mjs'], folder))
  })
}
