import type { MediaAsset } from '../../generated/media-manifest.ts'
import type { VaultMedia } from './vault.table.ts'

/**
 * Returns the original file of a media item. Its bytes are those of the asset. Its name is derived
 * from the topic and the id.
 */
export function createOriginalFile(
  id: number,
  { topics, md5, variants }: MediaAsset,
): Pick<VaultMedia, 'fileName' | 'hash' | 'size'> {
  const extension = variants.full.file.split('.').at(-1) ?? ''
  return {
    fileName: `${topics[0] ?? 'file'}-${String(Math.floor(id / 10) % 10_000).padStart(4, '0')}.${extension}`,
    hash: md5,
    size: variants.full.size,
  }
}
