import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import {
  access,
  copyFile,
  link,
  open,
  readlink,
  realpath,
  rename,
  rm,
  stat,
} from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import type { Stats } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { SandboxError } from '../errors.ts'
import { describeFileKind } from '../lib/file-errors.ts'

/** Matches the names of unfinished files, which remain if the process is killed. */
export const unfinishedFile = /^\.creator-api-sandbox-[\da-f]{16}\.tmp$/
/** Matches paths of open files of this process, such as `/dev/stdout`. */
const descriptorPath = /^\/(?:dev\/(?:stdin|stdout|stderr|fd\/\d+)|proc\/.*\/fd\/\d+)$/
/** Errors of file systems without hard links. */
const linkErrors: readonly unknown[] = ['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK']
/** Errors for folders that cannot be synced, although their files can. */
const folderSyncErrors: readonly unknown[] = ['EINVAL', 'ENOTSUP', 'EACCES', 'EPERM', 'EISDIR']
/** Delay before writing again to a full pipe, ms. */
const pipeRetryMs = 20

interface Attributes {
  mode: number
  uid?: number
  gid?: number
}

/**
 * Writes a file that the user named. Devices and pipes, such as `/dev/stdout`, are written in
 * place. Any other file is replaced.
 */
export async function writeOutput(file: string, text: string): Promise<void> {
  if (await isWrittenInPlace(file)) return writeInPlace(file, Buffer.from(text))
  return replaceFile(file, text)
}

/** Checks that a file that the user named can be written, without changing it. */
export async function requireOutput(file: string): Promise<void> {
  if (await isWrittenInPlace(file)) return access(file, constants.W_OK)
  const { path } = await followLinks(file)
  await withUnfinishedFile(path, (unfinished) => fill(unfinished, Buffer.alloc(0), { mode: 0o600 }))
}

/**
 * Replaces a file after all bytes of the new content are on the disk. Follows links, and keeps the
 * mode and the owner of an existing file.
 *
 * @throws {SandboxError} if the file is not a regular file
 */
export async function replaceFile(
  file: string,
  content: string | Uint8Array,
  { mode = 0o666 } = {},
): Promise<void> {
  const { path, found } = await followLinks(file)
  if (found !== undefined && !found.isFile()) throw new SandboxError(describeFileKind(found))
  await withUnfinishedFile(path, async (unfinished) => {
    await fill(unfinished, toBytes(content), found ?? { mode })
    await rename(unfinished, path)
  })
  await syncFolder(dirname(path))
}

/** Creates a file with its whole content. Throws EEXIST if the file exists. */
export async function createFile(
  file: string,
  content: string,
  attributes: { mode: number },
): Promise<void> {
  await withUnfinishedFile(file, async (unfinished) => {
    await fill(unfinished, toBytes(content), attributes)
    try {
      await link(unfinished, file)
    } catch (error) {
      if (!linkErrors.includes(getCode(error))) throw error
      await copyFile(unfinished, file, constants.COPYFILE_EXCL)
    }
  })
  await syncFolder(dirname(file))
}

async function isWrittenInPlace(file: string): Promise<boolean> {
  const found = await findStats(file)
  return found !== undefined && (descriptorPath.test(resolve(file)) || !found.isFile())
}

/** Returns the file to which a path leads, and its attributes if it exists. */
async function followLinks(file: string): Promise<{ path: string; found: Stats | undefined }> {
  const found = await findStats(file)
  if (found !== undefined) return { path: await realpath(file), found }
  const target = await readlink(file).catch(() => undefined)
  return target === undefined
    ? { path: file, found }
    : followLinks(resolve(await realpath(dirname(file)), target))
}

async function findStats(file: string): Promise<Stats | undefined> {
  try {
    return await stat(file)
  } catch (error) {
    if (getCode(error) !== 'ENOENT') throw error
    return undefined
  }
}

/** Calls `use` with the path of an unfinished file in the same folder. Then removes that file. */
async function withUnfinishedFile(
  path: string,
  use: (unfinished: string) => Promise<void>,
): Promise<void> {
  const name = `.creator-api-sandbox-${randomBytes(8).toString('hex')}.tmp`
  const unfinished = join(dirname(path), name)
  try {
    await use(unfinished)
  } finally {
    // A file that cannot be removed does no harm, and its removal must not hide the first error.
    await rm(unfinished, { force: true }).catch(() => {})
  }
}

/** Creates a file, and resolves when all its bytes are on the disk. */
async function fill(
  path: string,
  bytes: Uint8Array,
  { mode, uid, gid }: Attributes,
): Promise<void> {
  const handle = await open(path, 'wx', mode & 0o7777)
  try {
    if (uid !== undefined && gid !== undefined) await keepAttributes(handle, { mode, uid, gid })
    await handle.writeFile(bytes)
    await handle.sync()
    const { size } = await handle.stat()
    if (size !== bytes.length)
      throw new SandboxError(`only ${size} of ${bytes.length} bytes were written`)
  } finally {
    await handle.close()
  }
}

/** Sets owner and mode if this user and the file system allow it. */
async function keepAttributes(
  handle: FileHandle,
  { mode, uid, gid }: Required<Attributes>,
): Promise<void> {
  await handle.chown(uid, gid).catch(() => {})
  await handle.chmod(mode & 0o7777).catch(() => {})
}

/** Makes sure that a renamed file keeps its new name after a power failure. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return
  try {
    const handle = await open(path, constants.O_RDONLY)
    await handle.sync().finally(() => handle.close())
  } catch (error) {
    if (!folderSyncErrors.includes(getCode(error))) throw error
  }
}

/** Writes to a device or a pipe. Does not wait until a program opens the pipe to read it. */
async function writeInPlace(file: string, bytes: Uint8Array): Promise<void> {
  const { O_WRONLY, O_APPEND, O_NONBLOCK = 0 } = constants
  const handle = await open(file, O_WRONLY | O_APPEND | O_NONBLOCK)
  try {
    for (let rest = bytes; rest.length > 0;) rest = rest.subarray(await writePart(handle, rest))
  } finally {
    await handle.close()
  }
}

/** Returns the number of written bytes, or 0 after a delay if the pipe is full. */
async function writePart(handle: FileHandle, bytes: Uint8Array): Promise<number> {
  try {
    return (await handle.write(bytes)).bytesWritten
  } catch (error) {
    if (getCode(error) !== 'EAGAIN') throw error
    await wait(pipeRetryMs)
    return 0
  }
}

function toBytes(content: string | Uint8Array): Uint8Array {
  return typeof content === 'string' ? Buffer.from(content) : content
}

function getCode(error: unknown): unknown {
  return (error as NodeJS.ErrnoException).code
}
