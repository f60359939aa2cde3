import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { entries, getDeclarationsPath } from './entry-points.ts'

/** Packages whose types our declarations may use. */
const typed = ['zod', '@faker-js/faker', 'msw', 'vitest', '@playwright/test']

const folder = 'dist/types'

/** The import of another declaration file: the text before its name, and its name. */
const ownImport = /((?:from|import)\s*\(?\s*['"])(\.[^'"]*)\.ts(?=['"])/g

/**
 * Writes the declarations of all entry points. ESM and CommonJS share the `.d.cts` files, because
 * ESM may import CommonJS. An entry point of both has a `.d.ts` file that exports its `.d.cts` file,
 * or is a copy if it uses types of a package: the ESM types of msw differ from its CommonJS types.
 * Files that only ESM-only entry points use are `.d.ts` files, because they need ESM-only packages.
 */
export function writeDeclarations(): void {
  const tsc = ['node_modules/typescript/bin/tsc', '-p', 'scripts/tsconfig.build.json']
  execFileSync(process.execPath, tsc, { stdio: 'inherit' })
  const shared = entries.filter(({ isEsmOnly }) => isEsmOnly !== true).map(getDeclarationsPath)
  const inCommonJs = listReached(shared)
  const reached = listReached(entries.map(getDeclarationsPath))
  for (const path of reached) assertOwnTypes(path)
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.d.ts')) continue
    const path = file.replaceAll('\\', '/').slice(0, -'.d.ts'.length)
    const text = read(path)
    rmSync(join(folder, file))
    if (!reached.has(path)) continue
    const declarations = toDeclarations(path, text, inCommonJs)
    const isShared = inCommonJs.has(path)
    if (isShared) writeFileSync(join(folder, `${path}.d.cts`), declarations)
    if (!isShared || shared.includes(path))
      writeFileSync(
        join(folder, `${path}.d.ts`),
        isShared && listPackages(text).length === 0
          ? `export * from './${basename(path)}.cjs'\n`
          : declarations,
      )
  }
}

function read(path: string): string {
  return readFileSync(join(folder, `${path}.d.ts`), 'utf8')
}

/** Returns the given files and all files that they import, without extensions. */
function listReached(paths: readonly string[], reached = new Set<string>()): Set<string> {
  for (const path of paths) {
    if (reached.has(path)) continue
    reached.add(path)
    if (!existsSync(join(folder, `${path}.d.ts`)))
      throw new Error(`Failed to build: ${path} is imported, but it has no declarations.`)
    const names = [...read(path).matchAll(ownImport)].map(([, , name = '']) => name)
    listReached(
      names.map((name) => resolvePath(path, name)),
      reached,
    )
  }
  return reached
}

function resolvePath(path: string, name: string): string {
  return join(path, '..', name).replaceAll('\\', '/')
}

/** Imports JavaScript file names, and indents with tabs, which makes the package smaller. */
function toDeclarations(path: string, text: string, inCommonJs: ReadonlySet<string>): string {
  return text
    .replaceAll(ownImport, (_, before: string, name: string) => {
      const extension = inCommonJs.has(resolvePath(path, name)) ? '.cjs' : '.js'
      return `${before}${name}${extension}`
    })
    .replaceAll(/^(?: {4})+/gm, (spaces) => '\t'.repeat(spaces.length / 4))
}

/** @throws if a declaration file uses types that are not in the package or its dependencies. */
function assertOwnTypes(path: string): void {
  const foreign = listPackages(read(path)).find(
    (name) => !typed.some((own) => name === own || name.startsWith(`${own}/`)),
  )
  if (foreign !== undefined)
    throw new Error(
      `Failed to build: ${path} needs the types of ${foreign}, which do not come with the package. Keep them out of public types.`,
    )
}

function listPackages(text: string): string[] {
  return [...text.matchAll(/(?:from|import)\s*\(?\s*['"]([^.'"][^'"]*)['"]/g)].map(
    ([, name = '']) => name,
  )
}
