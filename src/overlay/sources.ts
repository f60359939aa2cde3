import { readTextFile } from '../scenario/scenario-file.ts'
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
  const verb = `read the overlay (${quoteText(path, 200)})`
  if (path.includes('\n'))
    throw new SandboxError(
      `Failed to ${verb}: a path must be one line. Pass YAML to readOverlay of ` +
        'creator-api-sandbox/overlay.',
    )
  return readTextFile(path, {
    verb,
    advice: 'Set the path of a YAML file',
    browserAdvice:
      'Pass an object, or pass the content of the file to readOverlay of ' +
      'creator-api-sandbox/overlay',
  })
}
