import type { mediaManifest } from '../../generated/media-manifest.ts'
import type { SeedTexts } from '../../world/seed-texts.ts'
import type { VaultMedia } from './vault.table.ts'

/** The file that a media item was made from, with the bytes of the asset. The id decides the name, so nothing is drawn. */
export function fileOf(
  { vault: { fileNames } }: SeedTexts,
  id: number,
  { md5, variants }: (typeof mediaManifest)[number],
): Pick<VaultMedia, 'fileName' | 'hash' | 'size'> {
  const extension = variants.full.file.split('.').at(-1) ?? ''
  return {
    fileName: `${fileNames[id % fileNames.length] ?? ''}-${String(Math.floor(id / 10) % 10_000).padStart(4, '0')}.${extension}`,
    hash: md5,
    size: variants.full.size,
  }
}
