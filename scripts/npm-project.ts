import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Folder of all projects. It is deleted when the process exits. */
const projects = mkdtempSync(join(tmpdir(), 'creator-api-sandbox-'))
process.on('exit', () => rmSync(projects, { recursive: true, force: true }))

/**
 * Creates a folder for a user project. It contains the files of a folder of the repository, or only
 * a package.json.
 */
export function createProject({ files }: { files?: string } = {}): string {
  const folder = mkdtempSync(join(projects, 'project-'))
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'project', private: true, type: 'module' }),
  )
  if (files !== undefined) cpSync(join(root, files), folder, { recursive: true })
  return folder
}

/**
 * Builds and packs the package as it is published. Returns the path of the tarball, or of the one in
 * PACKAGE_TARBALL, so that several checks can share it.
 */
export async function packPackage(): Promise<string> {
  const packed = process.env['PACKAGE_TARBALL']
  if (packed !== undefined) return packed
  const folder = createProject()
  const printed = await runCommand('npm', ['pack', '--silent', '--pack-destination', folder], root)
  return join(folder, printed.trim().split('\n').at(-1) ?? '')
}

/**
 * Installs packages into a folder, from the registry or a tarball. Without packages, installs the
 * dependencies in the folder's package.json.
 */
export function installPackages(folder: string, ...packages: string[]): Promise<unknown> {
  const flags = ['--silent', '--no-audit', '--no-fund', '--prefer-offline']
  const done = runCommand('npm', ['install', ...flags, ...packages], folder)
  // Prevents an unhandled rejection before the promise is awaited.
  done.catch(() => {})
  return done
}

/**
 * Runs a command and returns its output.
 *
 * @throws an error that contains the output if the command fails
 */
export async function runCommand(
  command: string,
  args: readonly string[],
  folder: string,
  env = process.env,
): Promise<string> {
  try {
    const options = { cwd: folder, env, maxBuffer: 64 * 1024 * 1024 }
    return (await promisify(execFile)(command, args, options)).stdout
  } catch (error) {
    const { stdout, stderr, message } = error as Record<string, string>
    throw new Error(
      `Failed to run ${command} ${args.join(' ')}:\n${`${stdout ?? ''}${stderr ?? ''}` || message}`,
      { cause: error },
    )
  }
}

/**
 * Prints the result of a check, and returns true if it passed. A failed check sets the exit code.
 */
export async function runCheck(title: string, task: () => unknown): Promise<boolean> {
  try {
    await task()
    console.log(`ok      ${title}`)
    return true
  } catch (error) {
    process.exitCode = 1
    console.log(`failed  ${title}: ${error instanceof Error ? error.message : String(error)}`)
    return false
  }
}
