import type { MediaAsset } from '../../generated/media-manifest.ts'
import type { VaultMedia } from './vault.table.ts'

/**
 * The file that a media item was made from, with the bytes of the asset. Its name says what it
 * shows, and nothing is drawn.
 */
export function fileOf(
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
