import { SandboxError } from '../errors.ts'
import { explainReadError } from '../lib/file-errors.ts'

/**
 * Reads a UTF-8 file without a static import of `node:fs`, which browsers could not load. `verb`
 * starts the error message, and `advice` or, without a file system, `browserAdvice` ends it.
 *
 * @throws {SandboxError}
 */
export function readTextFile(
  path: string,
  { verb, advice, browserAdvice }: Record<'verb' | 'advice' | 'browserAdvice', string>,
): string {
  const refuse = (why: string, cause?: unknown) =>
    new SandboxError(
      `Failed to ${verb}: ${why}. ${files === undefined ? browserAdvice : advice}.`,
      { cause },
    )
  const { process } = globalThis as {
    process?: { getBuiltinModule?: (name: 'node:fs') => Files | undefined }
  }
  const files = process?.getBuiltinModule?.('node:fs')
  if (files === undefined) throw refuse('there is no file system')
  let bytes: Uint8Array
  try {
    bytes = files.readFileSync(path)
  } catch (error) {
    throw refuse(explainReadError(error), error)
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    throw refuse('it is not UTF-8 text', error)
  }
}

interface Files {
  readFileSync: (path: string) => Uint8Array
}
