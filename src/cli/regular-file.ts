import { constants } from 'node:fs'
import { lstat, open, stat } from 'node:fs/promises'
import { SandboxError } from '../errors.ts'
import { describeFileKind } from '../lib/file-errors.ts'

/**
 * Reads a file without waiting, even if it is a named pipe. Returns undefined if it does not exist.
 *
 * @throws {SandboxError} if it is not a regular file
 */
export async function readRegularFile(path: string): Promise<Buffer | undefined> {
  // Windows has no O_NONBLOCK.
  const { O_RDONLY, O_NONBLOCK = 0 } = constants
  try {
    const handle = await open(path, O_RDONLY | O_NONBLOCK)
    try {
      const found = await handle.stat()
      if (!found.isFile()) throw new SandboxError(describeFileKind(found))
      return await handle.readFile()
    } finally {
      await handle.close()
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Explains why a path does not lead to a regular file, or returns undefined if it does. */
export async function explainIrregularFile(path: string): Promise<string | undefined> {
  try {
    const found = await stat(path)
    return found.isFile() ? undefined : describeFileKind(found)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    const isLink = await lstat(path).then(
      () => true,
      () => false,
    )
    return isLink
      ? 'it is a link to a file that does not exist'
      : 'it disappeared while the folder was read'
  }
}
