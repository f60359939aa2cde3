import { execFile, spawn } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { entries, getImportSpecifier } from '../../scripts/entry-points.ts'
import { findFreePort } from '../support/balancer.ts'
import { docBlocks, docPages, listDocBlocks } from '../support/doc-blocks.ts'
import type { DocBlock } from '../support/doc-blocks.ts'
import { bundledCommand } from '../support/process.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

it('shows TypeScript that compiles under strict', async () => {
  const folder = makeFolder()
  const shown = docBlocks.filter(({ language, file }) => language === 'ts' && file === undefined)
  const files = shown.map((block) => {
    const name = `${block.page.replaceAll(/\W/g, '-')}-${block.line}.ts`
    writeFileSync(join(folder, name), `export {}\n${declare(block)}${block.code}`)
    return name
  })
  const compilerOptions = {
    noEmit: true,
    types: ['node'],
    noUnusedLocals: false,
    noUnusedParameters: false,
    paths: Object.fromEntries(
      entries.map((entry) => [getImportSpecifier(entry), [join(root, entry.source)]]),
    ),
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
  expect(files.length).toBeGreaterThan(20)
  const compiled = await promisify(execFile)(process.execPath, [
    join(root, 'node_modules/typescript/bin/tsc'),
    '-p',
    folder,
  ]).catch((error: { stdout: string }) => error)
  expect(compiled.stdout).toBe('')
})

const pagesWithCommands = docPages.filter((page) =>
  listDocBlocks(page).some(({ language, isFragment }) => language === 'sh' && !isFragment),
)

it.each(pagesWithCommands)('shows commands that work when pasted: %s', async (page) => {
  const folder = makeFolder()
  const port = String(await findFreePort())
  installCommand(folder, port)
  const blocks = listDocBlocks(page)
  for (const { code, file } of blocks)
    if (file !== undefined) writeFileSync(join(folder, file), code)
  const scripts = blocks
    .filter(({ language, isFragment }) => language === 'sh' && !isFragment)
    .flatMap(({ code }) => splitServers(code.replaceAll('4010', port)))
  // Pages that do not start a server assume that one is already running.
  if (!scripts.some((script) => serves.test(script))) scripts.unshift('npx creator-api-sandbox')
  for (const script of scripts) await runScript(script, folder)
})

/** Returns declarations of variables that a code fragment uses but does not declare. */
function declare({ code, isFragment }: DocBlock): string {
  if (!isFragment) return ''
  const types = {
    sandbox: "import('creator-api-sandbox').Sandbox",
    account_id: 'number',
    expect: "typeof import('creator-api-sandbox/playwright').expect",
    key: 'string',
    readAllPosts: '() => Promise<unknown[]>',
  }
  const missing = Object.entries(types).filter(
    ([name]) =>
      new RegExp(`\\b${name}\\b`).test(code) &&
      !new RegExp(`const ${name}\\b|import .*\\b${name}\\b`).test(code),
  )
  return missing.map(([name, type]) => `declare const ${name}: ${type}\n`).join('')
}

/** Creates a folder inside the repository, so that node_modules can be found. */
function makeFolder(): string {
  mkdirSync(join(root, 'node_modules/.cache'), { recursive: true })
  const folder = mkdtempSync(join(root, 'node_modules/.cache/docs-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

/** Makes `npx creator-api-sandbox` and imports of the package use the source files. */
function installCommand(folder: string, port: string): void {
  const command = join(folder, 'node_modules/.bin/creator-api-sandbox')
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true })
  writeFileSync(command, `#!/bin/sh\nexec '${bundledCommand.join("' '")}' "$@"\n`)
  chmodSync(command, 0o755)
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  writeFileSync(
    join(folder, 'vitest.config.ts'),
    `import { alias } from '${root}vitest.config.ts'\nexport default { resolve: { alias } }\n`,
  )
  ports.set(folder, port)
}

const ports = new Map<string, string>()

/** Matches commands that run a server until they are stopped. */
const serves = /^npx creator-api-sandbox(?: replay [\w.-]+| record(?: [\w.-]+)?)?(?: --.*)?$/

/** Splits a script into server commands and the commands between them. */
function splitServers(script: string): string[] {
  const parts = ['']
  for (const line of script.trim().split('\n'))
    if (serves.test(line)) parts.push(line, '')
    else parts.push(`${parts.pop()}${line}\n`)
  return parts.filter((part) => part.replaceAll(/^#.*$/gm, '').trim() !== '')
}

/** Runs a script to its end. A command that starts a server replaces the previous server. */
async function runScript(script: string, folder: string): Promise<void> {
  if (!serves.test(script)) {
    const result = await promisify(execFile)('sh', ['-ec', script], {
      cwd: folder,
      env: { ...process.env, PATH: `${join(folder, 'node_modules/.bin')}:${process.env['PATH']}` },
    }).catch((error: { stdout: string; stderr: string; code: number }) => error)
    expect({ script, code: 'code' in result ? result.code : 0, ...result }).toMatchObject({
      code: 0,
    })
    return
  }
  await servers.get(folder)?.()
  servers.set(folder, await startServer(`${script} --port ${ports.get(folder)}`, folder))
}

const servers = new Map<string, () => Promise<void>>()

/** Starts a server, waits until it listens, and returns a function that stops it. */
async function startServer(command: string, folder: string): Promise<() => Promise<void>> {
  const [, ...args] = command.split(' ').slice(1)
  const child = spawn(join(folder, 'node_modules/.bin/creator-api-sandbox'), args, {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const stop = () => (child.kill('SIGINT'), closed)
  onTestFinished(stop)
  let printed = ''
  await new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        printed += chunk.toString()
        if (/http:\/\/127\.0\.0\.1/.test(printed)) resolve()
      })
    void closed.then(() => reject(new Error(`${command} ended: ${printed}`)))
  })
  return stop
}
