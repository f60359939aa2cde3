import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Folder of all projects. It is deleted when the process exits. */
const projects = mkdtempSync(join(tmpdir(), 'creator-api-sandbox-'))
process.on('exit', () => rmSync(projects, { recursive: true, force: true }))

/** Creates a folder for a user project that contains only a package.json. */
export function createProject({ type = 'module' }: { type?: 'module' | 'commonjs' } = {}): string {
  const folder = mkdtempSync(join(projects, 'project-'))
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'project', private: true, type }),
  )
  return folder
}

const execute = promisify(execFile)

/** Builds and packs the package as it is published. Returns the path of the tarball. */
export function packPackage(): string {
  const folder = createProject()
  const printed = runCommand('npm', ['pack', '--silent', '--pack-destination', folder], root)
  return join(folder, printed.trim().split('\n').at(-1) ?? '')
}

/** Installs packages into a folder, from the registry or a tarball. */
export function installPackages(folder: string, ...packages: string[]): void {
  runCommand('npm', ['install', '--silent', '--no-audit', '--no-fund', ...packages], folder)
}

/**
 * Runs a command and returns its output.
 *
 * @throws an error that contains the output if the command fails
 */
export function runCommand(command: string, args: readonly string[], folder: string): string {
  try {
    return execFileSync(command, args, {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  } catch (error) {
    throw new Error(`Failed to run ${command} ${args.join(' ')}:\n${getErrorOutput(error)}`, {
      cause: error,
    })
  }
}

/**
 * Runs `install` concurrently. Without packages, installs the dependencies in the folder's
 * package.json.
 */
export function installConcurrently(folder: string, ...packages: string[]): Promise<unknown> {
  const done = runConcurrently(
    'npm',
    ['install', '--silent', '--no-audit', '--no-fund', ...packages],
    folder,
  )
  // Prevents an unhandled rejection before the promise is awaited.
  done.catch(() => {})
  return done
}

/**
 * Runs a command concurrently and returns its output.
 *
 * @throws an error that contains the output if the command fails
 */
export async function runConcurrently(
  command: string,
  args: readonly string[],
  folder: string,
  env = process.env,
): Promise<string> {
  try {
    const { stdout } = await execute(command, args, {
      cwd: folder,
      env,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    })
    return stdout
  } catch (error) {
    throw new Error(`Failed to run ${command} ${args.join(' ')}:\n${getErrorOutput(error)}`, {
      cause: error,
    })
  }
}

function getErrorOutput(error: unknown): string {
  const { stdout, stderr, message } = error as { stdout?: string; stderr?: string; message: string }
  return `${stdout ?? ''}${stderr ?? ''}` || message
}
