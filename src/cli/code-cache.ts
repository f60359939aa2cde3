import { existsSync, lstatSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import { Script } from 'node:vm'
import { crc32 } from 'node:zlib'
import { withUsualV8Flags } from './v8-flags.ts'

/**
 * What V8 made of a file, and the checksums of both. V8 itself looks at little more than how long
 * they are.
 */
interface Compiled {
  textChecksum: number
  code: Uint8Array
  codeChecksum: number
}

/** A file that is loaded. */
interface LoadedModule {
  exports: unknown
  textChecksum: number
  script: Script
  /** Whether V8 took what was kept of it. */
  isKept: boolean
}

/** A file as a function: how Node runs CommonJS. */
type ModuleFunction = (
  exports: unknown,
  require: (id: string) => unknown,
  module: LoadedModule,
  path: string,
  folder: string,
) => void

/**
 * Loads CommonJS files of the package, and keeps what V8 compiled of them for the next start, as
 * Node does by itself from version 22 on (`module.enableCompileCache`): to compile takes a quarter
 * of a start. Where nothing can be kept, each start compiles.
 */
export class CodeCache {
  readonly #folder: string
  readonly #file: string
  #kept: ReadonlyMap<string, Compiled>
  readonly #modules = new Map<string, LoadedModule>()

  /**
   * `folder`: where compiled code is kept, by this user alone. `name`: of which version of what,
   * since it is of no use to another.
   */
  constructor({ folder, name }: { folder: string; name: string }) {
    this.#folder = folder
    this.#file = join(folder, name)
    this.#kept = this.#read()
  }

  /** How many files were compiled anew. */
  get freshCount(): number {
    return [...this.#modules.values()].filter(({ isKept }) => !isKept).length
  }

  /** What a file exports. What it requires of the files beside it is kept, too. */
  require(path: string): unknown {
    const known = this.#modules.get(path)
    if (known !== undefined) return known.exports
    const module = this.#load(path)
    this.#modules.set(path, module)
    const requireOther = createRequire(path)
    const folder = dirname(path)
    const require = (id: string) =>
      /^\.{1,2}\/.*\.cjs$/.test(id) ? this.require(join(folder, id)) : requireOther(id)
    const run = module.script.runInThisContext() as ModuleFunction
    run.call(module.exports, module.exports, require, module, path, folder)
    return module.exports
  }

  /**
   * Keeps what was compiled anew, with all that ran of it so far, and lets go of what was read. It
   * takes some 30 ms where it keeps anything, which is once after an installation.
   */
  keep(): void {
    this.#kept = new Map()
    if (this.freshCount === 0) return
    const before = this.#read()
    const compiled = new Map<string, Compiled>()
    for (const [path, module] of this.#modules) {
      const known = before.get(basename(path))
      const holds = module.isKept && known?.textChecksum === module.textChecksum
      compiled.set(basename(path), holds ? known : compiledOf(module))
      module.isKept = true
    }
    try {
      // Not with those above it: Node tries for ever to make folders in some places, such as /proc.
      if (!existsSync(this.#folder)) mkdirSync(this.#folder, { mode: 0o700 })
      if (!isOwn(this.#folder)) return
      const draft = `${this.#file}.${process.pid}`
      writeFileSync(draft, serialize(compiled), { mode: 0o600 })
      renameSync(draft, this.#file)
    } catch {
      // Where nothing can be written, each start compiles: that is no failure.
    }
  }

  #load(path: string): LoadedModule {
    const text = readFileSync(path, 'utf8')
    const textChecksum = crc32(text)
    const code = this.#codeOf(path, textChecksum)
    const options = code === undefined ? { filename: path } : { filename: path, cachedData: code }
    // In one line with the first of the file, so that stack traces have its lines.
    const wrapped = `(function (exports, require, module, __filename, __dirname) { ${text}\n})`
    const script = withUsualV8Flags(() => new Script(wrapped, options))
    return {
      exports: {},
      textChecksum,
      script,
      isKept: code !== undefined && script.cachedDataRejected !== true,
    }
  }

  /** What was kept of a file, as it is now. */
  #codeOf(path: string, textChecksum: number): Buffer | undefined {
    const kept = this.#kept.get(basename(path))
    if (kept?.textChecksum !== textChecksum || kept.codeChecksum !== crc32(kept.code))
      return undefined
    return Buffer.from(kept.code.buffer, kept.code.byteOffset, kept.code.byteLength)
  }

  #read(): ReadonlyMap<string, Compiled> {
    return isOwn(this.#folder) ? readKept(this.#file) : new Map()
  }
}

function compiledOf({ script, textChecksum }: LoadedModule): Compiled {
  const code = withUsualV8Flags(() => script.createCachedData())
  return { textChecksum, code, codeChecksum: crc32(code) }
}

/** Whether a folder is there that nobody else can write to: what is compiled is run. */
function isOwn(folder: string): boolean {
  try {
    const entry = lstatSync(folder)
    // Windows knows neither, and its folder for what is temporary is each user's own.
    const isOthers =
      process.getuid !== undefined && (entry.uid !== process.getuid() || (entry.mode & 0o022) !== 0)
    return entry.isDirectory() && !isOthers
  } catch {
    return false
  }
}

function readKept(file: string): ReadonlyMap<string, Compiled> {
  try {
    const kept: unknown = deserialize(readFileSync(file))
    return kept instanceof Map ? (kept as Map<string, Compiled>) : new Map()
  } catch {
    // There is none yet, or it is damaged: then it is written anew.
    return new Map()
  }
}
