import { explainReadError } from '../lib/file-errors.ts'
import type { RouteSet } from '../api/route.ts'
import { SandboxError, quoteText } from '../errors.ts'
import type { Overlay } from './format.ts'
import { readOverlay } from './overlay.ts'

/** A value of the option `overlay`: an object, or the path of a YAML file. */
export type OverlaySource = string | Overlay

/**
 * Reads overlays in order. Strings are paths of files.
 *
 * @throws {SandboxError} with the file, the line and the fields of the route, or if a path is given
 * without a file system, for example in a browser
 */
export function readOverlaySources(sources: readonly OverlaySource[]): Promise<RouteSet> {
  return readOverlay(
    ...sources.map((source) =>
      typeof source === 'string' ? { text: readFile(source), source } : source,
    ),
  )
}

/** Reads a file without a static import of `node:fs`, which browsers could not load. */
function readFile(path: string): string {
  const refuse = (why: string, advice: string, cause?: unknown) =>
    new SandboxError(`Failed to read the overlay (${quoteText(path, 200)}): ${why}. ${advice}.`, {
      cause,
    })
  if (path.includes('\n'))
    throw refuse(
      'a path must be one line',
      'Pass YAML to readOverlay of creator-api-sandbox/overlay',
    )
  const { process } = globalThis as {
    process?: { getBuiltinModule?: (name: 'node:fs') => Files | undefined }
  }
  const files = process?.getBuiltinModule?.('node:fs')
  if (files === undefined)
    throw refuse(
      'there is no file system',
      'Pass an object, or pass the content of the file to readOverlay of ' +
        'creator-api-sandbox/overlay',
    )
  try {
    return files.readFileSync(path, 'utf8')
  } catch (error) {
    throw refuse(explainReadError(error), 'Set the path of a YAML file', error)
  }
}

interface Files {
  readFileSync: (path: string, encoding: 'utf8') => string
}
