import type { MediaAsset } from '../../generated/media-manifest.ts'
import { createRandom } from '../../world/random.ts'
import type { VaultMedia } from './vault.table.ts'

/**
 * Returns the original file of a media item. The bytes are those of the asset. The name is derived
 * from the topic and the id, but does not reveal the id.
 */
export function createOriginalFile(
  id: number,
  { topics, md5, variants }: MediaAsset,
): Pick<VaultMedia, 'fileName' | 'hash' | 'size'> {
  const extension = variants.full.file.split('.').at(-1) ?? ''
  return {
    fileName: `${topics[0] ?? 'file'}-${drawFileNumber(id)}.${extension}`,
    hash: md5,
    size: variants.full.size,
  }
}

/** Draws the number in a file name: four digits that depend only on the media id. */
export function drawFileNumber(id: number): string {
  return String(createRandom(0, 'file', id).integer(1000, 9999))
}
