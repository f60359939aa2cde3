/** Explains why a file or folder cannot be read. */
export function explainReadError(error: unknown): string {
  return explain(error, {
    ENOENT: 'there is no such file',
    EISDIR: 'it is a folder',
    ENOTDIR: 'it is not a folder',
  })
}

/** Explains why a file cannot be written. */
export function explainWriteError(error: unknown): string {
  return explain(error, {
    ENOENT: 'its folder does not exist',
    EISDIR: 'it is a folder',
    ENOTDIR: 'a file is in the place of its folder',
    EEXIST: 'a file of that name exists',
    EBUSY: 'it is in use, for example as a mount point. Mount its folder instead',
    ENXIO: 'no program reads this pipe, or it is a socket',
  })
}

/** Options of Node.js that permit what its permission model denies. */
const permissionFlags: Readonly<Record<string, string>> = {
  FileSystemRead: '--allow-fs-read',
  FileSystemWrite: '--allow-fs-write',
  ChildProcess: '--allow-child-process',
  WorkerThreads: '--allow-worker',
}

/**
 * Explains an error of the permission model of Node.js (`--permission`), without a full stop.
 * Undefined for any other error.
 */
export function explainDeniedAccess(error: unknown): string | undefined {
  const { code, permission = '' } = error as { code?: unknown; permission?: string }
  if (code !== 'ERR_ACCESS_DENIED') return undefined
  const flag = permissionFlags[permission] ?? `that allows ${permission}`
  return `the permission model of Node.js denies it (${code}). Add the Node.js option ${flag}`
}

/** True if a package is not installed. Yarn Plug'n'Play reports this with another code. */
export function isMissingPackage(error: unknown): boolean {
  const { code } = error as { code?: unknown }
  return code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND'
}

const reasonsOfBoth: ErrorReasons = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EROFS: 'the disk is read-only',
  EACCES: 'permission to it, or to its folder, is denied',
  EPERM: 'permission to it, or to its folder, is denied',
  ELOOP: 'its symbolic links form a loop',
}

type ErrorReasons = Readonly<Record<string, string>>

function explain(error: unknown, reasons: ErrorReasons): string {
  const { code = '', message } = error as { code?: string; message: string }
  const denied = explainDeniedAccess(error)
  if (denied !== undefined) return denied
  const reason = reasons[code] ?? reasonsOfBoth[code]
  const text = reason === undefined ? message : `${reason} (${code})`
  // Removes the system call and the path, because the caller names the file.
  return text.replace(/, \w+ '.*$/s, '').replace(/\s+/g, ' ')
}

/** The methods of file attributes that tell the kind of a file. */
type FileKind = Record<'isDirectory' | 'isFIFO' | 'isSocket', () => boolean>

/** Explains what a file is that is not a regular file. */
export function describeFileKind(found: FileKind): string {
  if (found.isDirectory()) return 'it is a folder, not a regular file'
  if (found.isFIFO()) return 'it is a named pipe (FIFO), not a regular file'
  if (found.isSocket()) return 'it is a socket, not a regular file'
  return 'it is a device, not a regular file'
}
