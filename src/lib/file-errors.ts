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
  })
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
  const reason = reasons[code] ?? reasonsOfBoth[code]
  return (reason === undefined ? message : `${reason} (${code})`).replace(/\s+/g, ' ')
}
