import { SandboxError } from '../errors.ts'

/**
 * Creates the loader of the package's media files. Each file is a module that is loaded on first
 * use.
 */
export function createFileLoader(): (file: string) => Promise<Uint8Array> {
  const loaded = new Map<string, Uint8Array>()
  return async (file) => {
    const cached = loaded.get(file)
    if (cached !== undefined) return cached
    const { mediaBytes } = await import('../generated/media-bytes.ts')
    const [name = '', variant = ''] = file.split('/')
    const encoded = (await mediaBytes[name]?.())?.files[variant]
    if (encoded === undefined)
      throw new SandboxError(`Failed to load ${file}: the media file does not exist.`)
    const bytes = toBytes(encoded)
    loaded.set(file, bytes)
    return bytes
  }
}

/** Decodes base64 with a loop, because a callback per byte would be ten times slower. */
function toBytes(encoded: string): Uint8Array {
  const text = atob(encoded)
  const bytes = new Uint8Array(text.length)
  for (let index = 0; index < text.length; index += 1) bytes[index] = text.charCodeAt(index)
  return bytes
}
