import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Makes the folder of a user's project: empty but for a package.json. It goes when this process does. */
export function createProject(): string {
  const folder = mkdtempSync(join(tmpdir(), 'creator-api-sandbox-'))
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'project', private: true, type: 'module' }))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Builds the package and packs it as it would be published; returns the tarball. */
export function pack(): string {
  const folder = createProject()
  const printed = run('npm', ['pack', '--silent', '--pack-destination', folder], root)
  return join(folder, printed.trim().split('\n').at(-1) ?? '')
}

/** Installs packages into a folder, from the registry or a tarball. */
export function install(folder: string, ...packages: string[]): void {
  run('npm', ['install', '--silent', '--no-audit', '--no-fund', ...packages], folder)
}

/** Runs a command and returns what it printed. @throws with all that it printed when it fails. */
export function run(command: string, args: readonly string[], folder: string): string {
  try {
    return execFileSync(command, args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string }
    throw new Error(`Failed to run ${command} ${args.join(' ')}:\n${stdout}${stderr}`, { cause: error })
  }
}
