import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { entries, specifierOf } from '../../scripts/entries.ts'

/** The pages whose TypeScript users may paste. */
const pages = ['README.md', 'docs/making-records.md', 'docs/server.md', 'docs/stories.md']
const texts = pages.map((page) => readFileSync(new URL(`../../${page}`, import.meta.url), 'utf8'))

it('shows TypeScript that a strict compiler takes', async () => {
  const root = fileURLToPath(new URL('../../', import.meta.url))
  mkdirSync(join(root, 'node_modules/.cache'), { recursive: true })
  // Within the project, so that the packages that the snippets import are found.
  const folder = mkdtempSync(join(root, 'node_modules/.cache/readme-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const snippets = texts.flatMap((text) =>
    [...text.matchAll(/```ts\n([^]*?)```/g)].map(([, snippet = '']) => snippet),
  )
  const files = snippets.map((snippet, index) => {
    writeFileSync(join(folder, `snippet-${index}.ts`), `export {}\n${declare(snippet)}${snippet}`)
    return `snippet-${index}.ts`
  })
  const compilerOptions = {
    noEmit: true,
    types: ['node'],
    noUnusedLocals: false,
    paths: pathsFrom(root),
  }
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      extends: join(root, 'tsconfig.json'),
      compilerOptions,
      include: [],
      exclude: [],
      files,
    }),
  )
  expect(files.length).toBeGreaterThan(4)
  const compiled = await promisify(execFile)(process.execPath, [
    join(root, 'node_modules/typescript/bin/tsc'),
    '-p',
    folder,
  ]).catch((error: { stdout: string }) => error)
  expect(compiled.stdout).toBe('')
})

/**
 * What the text around a snippet has said before: each name that it uses and does not bring along.
 */
function declare(snippet: string): string {
  const types = {
    sandbox: "import('creator-api-sandbox').Sandbox",
    server: "ReturnType<typeof import('msw/node').setupServer>",
    account_id: 'number',
    expect: "typeof import('creator-api-sandbox/playwright').expect",
    key: 'string',
  }
  const missing = Object.entries(types).filter(
    ([name]) =>
      new RegExp(`\\b${name}\\b`).test(snippet) && !new RegExp(`const ${name}\\b`).test(snippet),
  )
  return missing.map(([name, type]) => `declare const ${name}: ${type}\n`).join('')
}

/**
 * The sources under the names of the package, as in tsconfig.json, which another folder cannot take
 * them from.
 */
function pathsFrom(root: string): Record<string, string[]> {
  return Object.fromEntries(
    entries.map((entry) => [specifierOf(entry), [join(root, entry.source)]]),
  )
}
