/** Explains why a file or folder cannot be read. */
export function explainReading(error: unknown): string {
  return explain(error, {
    ENOENT: 'there is no such file',
    EISDIR: 'it is a folder',
    ENOTDIR: 'it is no folder',
  })
}

/** Explains why a file cannot be written. */
export function explainWriting(error: unknown): string {
  return explain(error, {
    ENOENT: 'its folder is not there',
    EISDIR: 'it is a folder',
    ENOTDIR: 'what should be its folder is a file',
    EEXIST: 'there is a file of that name',
  })
}

const reasonsOfBoth: Reasons = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EROFS: 'the disk can only be read',
  EACCES: 'the rights to it, or to its folder, are missing',
  EPERM: 'the rights to it, or to its folder, are missing',
  ELOOP: 'its links lead in a circle',
}

type Reasons = Readonly<Record<string, string>>

function explain(error: unknown, reasons: Reasons): string {
  const { code = '', message } = error as { code?: string; message: string }
  const reason = reasons[code] ?? reasonsOfBoth[code]
  return (reason === undefined ? message : `${reason} (${code})`).replace(/\s+/g, ' ')
}
