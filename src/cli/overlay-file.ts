import { readFileSync } from 'node:fs'
import type { RouteSet } from '../engine/route.ts'
import { SandboxError } from '../errors.ts'
import { readOverlay } from '../overlay/overlay.ts'

/** Reads overlays from files, in their order. @throws {SandboxError} that names the file and line, and what the route has. */
export function readOverlayFiles(files: readonly string[]): Promise<RouteSet> {
  return readOverlay(...files.map((file) => ({ text: readText(file), source: file })))
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new SandboxError(`Failed to read the overlay (${file}): ${(error as Error).message}. Give a YAML file.`, { cause: error })
  }
}
