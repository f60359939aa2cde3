import { SandboxError } from '../errors.ts'

/** Makes the loader of the shipped media files. Each asset is a module of its own, loaded when one of its files is asked for first. */
export function createFileLoader(): (file: string) => Promise<Uint8Array> {
  const loaded = new Map<string, Uint8Array>()
  return async (file) => {
    const cached = loaded.get(file)
    if (cached !== undefined) return cached
    const { mediaBytes } = await import('../generated/media-bytes.ts')
    const [name = '', variant = ''] = file.split('/')
    const encoded = (await mediaBytes[name]?.())?.files[variant]
    if (encoded === undefined) throw new SandboxError(`Failed to load ${file}: there is no such media file.`)
    const bytes = Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0))
    loaded.set(file, bytes)
    return bytes
  }
}
