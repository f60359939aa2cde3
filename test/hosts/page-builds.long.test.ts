import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { createTemporaryFolder } from '../support/command.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Returns the names of the files in a folder, each with a digest of its content. */
function listDigests(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.includes('.'))
    .toSorted()
    .map((file) => {
      const content = readFileSync(join(folder, file))
      return `${file} ${createHash('sha256').update(content).digest('hex')}`
    })
}

it.each([{ name: 'console' }, { name: 'reference' }])(
  'is built from the current sources of $name: otherwise run node scripts/prepare.mjs --pages',
  ({ name }) => {
    const folder = createTemporaryFolder()
    const { NODE_ENV: _, ...env } = process.env
    execFileSync(
      process.execPath,
      [
        'node_modules/vite/bin/vite.js',
        'build',
        '--mode',
        name,
        '--outDir',
        folder,
        '--emptyOutDir',
      ],
      { cwd: root, env },
    )
    expect(listDigests(folder)).toEqual(listDigests(join(root, 'dist', name)))
  },
)
