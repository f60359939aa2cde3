import { explainReadError } from './file-errors.ts'

/** Thrown if a text file cannot be read. The message is a reason, which the caller completes. */
export class ReadFileError extends Error {
  /** True if there is no file system, for example in a browser. */
  readonly isUnsupported: boolean

  constructor(message: string, { cause, isUnsupported = false }: ReadFailure = {}) {
    super(message, { cause })
    this.isUnsupported = isUnsupported
  }
}

interface ReadFailure {
  cause?: unknown
  isUnsupported?: boolean
}

/**
 * Reads a UTF-8 file without a static import of `node:fs`, which browsers could not load.
 *
 * @throws {ReadFileError}
 */
export function readTextFile(path: string): string {
  const { process } = globalThis as {
    process?: { getBuiltinModule?: (name: 'node:fs') => Files | undefined }
  }
  const files = process?.getBuiltinModule?.('node:fs')
  if (files === undefined)
    throw new ReadFileError('there is no file system', { isUnsupported: true })
  let bytes: Uint8Array
  try {
    bytes = files.readFileSync(path)
  } catch (cause) {
    throw new ReadFileError(explainReadError(cause), { cause })
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new ReadFileError('it is not UTF-8 text', { cause })
  }
}

interface Files {
  readFileSync: (path: string) => Uint8Array
}
