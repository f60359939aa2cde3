import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { digestFolder } from './digests.ts'

/** The source code that produced the recorded digests, or the reason why it is not available. */
export type OldSources =
  | { commit: string; folder: string; remove: () => void }
  | { missing: string }

/**
 * Checks out the last commit that changed the digests to a separate folder. The current scripts
 * replace the scripts there, so that both versions send the same requests.
 */
export function checkOutOldSources(): OldSources {
  if (!existsSync('.git')) return { missing: 'this is no Git repository' }
  if (runGit('rev-parse', '--is-shallow-repository') === 'true')
    return { missing: 'this clone is shallow; git fetch --unshallow gets the rest' }
  const commit = runGit('log', '-1', '--format=%H', '--', digestFolder)
  if (commit === '') return { missing: 'no commit has digests yet' }
  const temporary = mkdtempSync(join(tmpdir(), 'same-answers-'))
  const folder = join(temporary, 'old')
  runGit('worktree', 'add', '--detach', folder, commit)
  for (const modules of ['node_modules', 'examples/typed-client/node_modules'])
    if (existsSync(modules)) symlinkSync(resolve(modules), join(folder, modules))
  if (existsSync(join(folder, 'scripts/prepare.mjs')))
    execFileSync(process.execPath, ['scripts/prepare.mjs'], { cwd: folder, stdio: 'ignore' })
  cpSync('scripts/same-answers', join(folder, 'scripts/same-answers'), { recursive: true })
  return {
    commit,
    folder,
    remove() {
      runGit('worktree', 'remove', '--force', folder)
      rmSync(temporary, { recursive: true })
    },
  }
}

function runGit(...args: string[]): string {
  return execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim()
}
