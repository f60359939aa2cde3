import { SandboxError } from '../errors.ts'

/** Makes a reader of the shipped media files. The module that holds them is loaded when the first one is asked for. */
export function createFileLoader(): (file: string) => Promise<Uint8Array> {
  const loaded = new Map<string, Uint8Array>()
  return async (file) => {
    const known = loaded.get(file)
    if (known !== undefined) return known
    const { mediaBytes } = await import('../generated/media-bytes.ts')
    const encoded = mediaBytes[file]
    if (encoded === undefined) throw new SandboxError(`Failed to load ${file}: there is no such media file.`)
    const bytes = Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0))
    loaded.set(file, bytes)
    return bytes
  }
}
