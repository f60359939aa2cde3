import { SandboxError } from '../errors.ts'
import { decodeBase64 } from '../lib/base64.ts'

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
    const bytes = decodeBase64(encoded)
    loaded.set(file, bytes)
    return bytes
  }
}
