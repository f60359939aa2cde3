import { ReadFileError, readTextFile } from '../lib/read-text-file.ts'
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
  try {
    return readTextFile(path)
  } catch (error) {
    if (!(error instanceof ReadFileError)) throw error
    const advice = error.isUnsupported
      ? 'Pass an object, or pass the content of the file to readOverlay of ' +
        'creator-api-sandbox/overlay'
      : 'Set the path of a YAML file'
    throw refuse(error.message, advice, error.cause)
  }
}
