#!/usr/bin/env node
import nodeModule, { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { version } from '../generated/version.ts'
import { CodeCache } from './code-cache.ts'
import { main } from './main.ts'
import type { run } from './run.ts'

// The command as it is shipped. Its code is CommonJS, since that is what V8 can keep the compiled
// code of on every version of Node.

/** What the build makes of `run.ts`. */
const file = fileURLToPath(new URL('../cjs/cli/run.cjs', import.meta.url))

/**
 * A server keeps what it compiled after so long, ms: with what its first requests ran, and before
 * V8 drops what only the start did.
 */
const keptAfterMs = 3_000

const enableCompileCache = (nodeModule as { enableCompileCache?: () => void }).enableCompileCache
enableCompileCache?.()

const cache =
  enableCompileCache === undefined && process.env['NODE_DISABLE_COMPILE_CACHE'] === undefined
    ? openCache()
    : undefined

await main(
  async () =>
    (cache === undefined ? createRequire(import.meta.url)(file) : cache.require(file)) as {
      run: typeof run
    },
)

// Other commands than a server end at once, and use little of what it does.
if (cache !== undefined && process.getActiveResourcesInfo().includes('TCPServerWrap')) {
  const keep = () => cache.keep()
  setTimeout(keep, keptAfterMs).unref()
  process.once('exit', keep)
}

/** Where Node has it too; each user has a folder of their own. */
function openCache(): CodeCache {
  const folder =
    process.env['NODE_COMPILE_CACHE'] ??
    join(tmpdir(), `creator-api-sandbox-${process.getuid?.() ?? 'user'}`)
  return new CodeCache({ folder, name: `${version}-${process.version}-${process.arch}` })
}
