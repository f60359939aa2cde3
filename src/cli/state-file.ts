import { createHash } from 'node:crypto'
import { SandboxError } from '../errors.ts'
import { parseStoredItem, storedFormat } from '../sandbox/state/world-store.ts'

const newline = 10

/** Adds a first line with the format and the checksum to the content of a state file. */
export function sealStateFile(content: Uint8Array): Uint8Array {
  const head = JSON.stringify({ format: storedFormat, sha256: digest(content) })
  return Buffer.concat([Buffer.from(`${head}\n`), content])
}

/**
 * Returns the content of a state file.
 *
 * @throws {SandboxError} if the file is damaged or has another format
 */
export function openStateFile(bytes: Uint8Array): Uint8Array {
  const end = bytes.indexOf(newline)
  const head = parseHead(new TextDecoder().decode(end === -1 ? bytes : bytes.subarray(0, end)))
  const content = bytes.subarray(end + 1)
  if (end === -1 || head?.sha256 === undefined)
    throw new SandboxError('its first line has no checksum')
  if (head.sha256 !== digest(content))
    throw new SandboxError('its checksum does not match its content')
  return content
}

function parseHead(line: string): { sha256?: unknown } | undefined {
  try {
    return parseStoredItem(line) as { sha256?: unknown }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return undefined
  }
}

function digest(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
