import { explainReading } from '../lib/file-failure.ts'
import type { RouteSet } from '../api/route.ts'
import { SandboxError, quote } from '../errors.ts'
import type { Overlay } from './format.ts'
import { readOverlay } from './overlay.ts'

/** A value of the option `overlay`: the path of a YAML file, or an object. */
export type OverlaySource = string | Overlay

/**
 * Reads overlays in order, paths from their files.
 *
 * @throws {SandboxError} naming the file, the line and what the route has. Also for a path if there
 * are no files, as in a browser.
 */
export function readOverlaySources(sources: readonly OverlaySource[]): Promise<RouteSet> {
  return readOverlay(
    ...sources.map((source) =>
      typeof source === 'string' ? { text: readFile(source), source } : source,
    ),
  )
}

/** Reads a file without importing a built-in module, which browsers cannot load. */
function readFile(path: string): string {
  const refuse = (why: string, advice: string, cause?: unknown) =>
    new SandboxError(`Failed to read the overlay (${quote(path, 200)}): ${why}. ${advice}.`, {
      cause,
    })
  if (path.includes('\n'))
    throw refuse(
      'a path is one line',
      'Give the text of an overlay to readOverlay of creator-api-sandbox/overlay',
    )
  const { process } = globalThis as {
    process?: { getBuiltinModule?: (name: 'node:fs') => Files | undefined }
  }
  const files = process?.getBuiltinModule?.('node:fs')
  if (files === undefined)
    throw refuse(
      'there are no files here',
      'Give an object, or the text of the file to readOverlay of creator-api-sandbox/overlay',
    )
  try {
    return files.readFileSync(path, 'utf8')
  } catch (error) {
    throw refuse(explainReading(error), 'Give the path of a YAML file', error)
  }
}

interface Files {
  readFileSync: (path: string, encoding: 'utf8') => string
}
