import { SandboxError } from '../errors.ts'

/** Makes the loader of the shipped media files. It loads the module that holds them on first use. */
export function createFileLoader(): (file: string) => Promise<Uint8Array> {
  const loaded = new Map<string, Uint8Array>()
  return async (file) => {
    const cached = loaded.get(file)
    if (cached !== undefined) return cached
    const { mediaBytes } = await import('../generated/media-bytes.ts')
    const encoded = mediaBytes[file]
    if (encoded === undefined) throw new SandboxError(`Failed to load ${file}: there is no such media file.`)
    const bytes = Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0))
    loaded.set(file, bytes)
    return bytes
  }
}
