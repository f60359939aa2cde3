import { readFileSync, readdirSync } from 'node:fs'
import { parse } from 'yaml'
import { getMediaFormat, type Dimensions } from './media-formats.ts'

/**
 * A file that `npm run generate` writes. `path` is relative to the repository root and uses forward
 * slashes.
 */
export type GeneratedFile = { path: string; content: string }

type VariantName = (typeof variantNames)[number]
type Variant = Dimensions & { file: string; contentType: string; size: number }
type Asset = {
  name: string
  type: string
  topics: readonly string[]
  duration: number
  variants: Record<VariantName, Variant>
}

const mediaFolder = new URL('../fixtures/media/', import.meta.url)
const variantNames = ['full', 'thumb', 'preview', 'squarePreview'] as const

/**
 * Usual width and height of the four files of a photo, in the order of `variantNames`.
 */
const photoForms = {
  wide: [
    [640, 480],
    [100, 75],
    [320, 240],
    [160, 160],
  ],
  tall: [
    [480, 640],
    [75, 100],
    [240, 320],
    [160, 160],
  ],
  square: [
    [640, 640],
    [100, 100],
    [320, 320],
    [160, 160],
  ],
} as const

/**
 * Reads the assets in `fixtures/media`. Generates a module with the manifest, and a module with the
 * bytes of each asset.
 */
export function generateMedia(): GeneratedFile[] {
  const topicsByName = parse(readMedia('topics.yaml').toString()) as Record<string, string[]>
  const assets = readFolder(mediaFolder)
    .filter((name) => !name.includes('.'))
    .map((name) => readAsset(name, topicsByName[name]))
  return [
    { path: 'src/generated/media-manifest.ts', content: renderManifest(assets) },
    { path: 'src/generated/media-bytes.ts', content: renderIndex(assets) },
    ...assets.map((asset) => ({
      path: `src/generated/media/${asset.name}.ts`,
      content: renderBytes(asset),
    })),
  ]
}

function readAsset(name: string, topics: readonly string[] | undefined): Asset {
  const files = readFolder(new URL(`${name}/`, mediaFolder))
  if (files.length !== variantNames.length) {
    throw new Error(
      `Failed to read the media asset (${name}): it has ${files.length} files. Keep one for each of ${variantNames.join(', ')}.`,
    )
  }
  const read = (variantName: VariantName) => readVariant(name, variantName, files)
  const variants = {
    full: read('full'),
    thumb: read('thumb'),
    preview: read('preview'),
    squarePreview: read('squarePreview'),
  }

  if (topics === undefined) {
    throw new Error(
      `Failed to read the media asset (${name}): it has no topics. Add a line to fixtures/media/topics.yaml.`,
    )
  }
  const format = getMediaFormat(variants.full.file)
  const seconds = format.readSeconds(readMedia(variants.full.file))
  // Encoders add some milliseconds to the end of a clip.
  return {
    name,
    type: format.assetType,
    topics,
    duration: Math.round(seconds * 10) / 10,
    variants,
  }
}

function readVariant(assetName: string, variantName: VariantName, files: string[]): Variant {
  const fileName = files.find((candidate) => candidate.startsWith(`${variantName}.`))
  if (fileName === undefined) {
    throw new Error(
      `Failed to read the media asset (${assetName}): it has no file ${variantName}. Add the file.`,
    )
  }
  const file = `${assetName}/${fileName}`
  const { contentType, readDimensions } = getMediaFormat(file)
  const bytes = readMedia(file)
  return { file, contentType, ...readDimensions(bytes), size: bytes.length }
}

function readMedia(file: string): Buffer {
  return readFileSync(new URL(file, mediaFolder))
}

function readFolder(folder: URL): string[] {
  // Sorts by code units, because the order must not depend on the machine's locale.
  return readdirSync(folder)
    .filter((name) => !name.startsWith('.'))
    .sort()
}

function renderManifest(assets: Asset[]): string {
  const endings = [
    ...new Set(assets.map(({ variants }) => variants.full.file.split('.').at(-1) ?? '')),
  ].sort()
  return `${header}
const contentTypes: Readonly<Record<string, string>> = {
${endings.map((ending) => `  ${ending}: ${quote(getMediaFormat(`full.${ending}`).contentType)},`).join('\n')}
}

/** The four renditions that every media asset has. */
export type MediaVariantName = ${variantNames.map(quote).join(' | ')}

/** One file of an asset. Dimensions are in pixels (0 for sound), sizes in bytes. */
export type MediaVariant = {
  readonly file: string
  readonly contentType: string
  readonly width: number
  readonly height: number
  readonly size: number
}

/**
 * A picture, clip or sound that the sandbox can serve. The duration is in seconds (0 for photos and
 * GIFs).
 */
export type MediaAsset = {
  readonly name: string
  readonly type: 'photo' | 'video' | 'gif' | 'audio'
  /** Subjects that the asset shows, named like the topics of personas. */
  readonly topics: readonly string[]
  readonly duration: number
  readonly variants: Readonly<Record<MediaVariantName, MediaVariant>>
}

/** Dimensions of a photo's four files, by aspect ratio. */
const forms = {
${Object.entries(photoForms)
  .map(
    ([form, dimensions]) =>
      `  ${form}: [${dimensions.map((each) => `[${each.join(', ')}]`).join(', ')}],`,
  )
  .join('\n')}
} as const

/** All media assets, by name. */
export const mediaManifest: readonly MediaAsset[] = [
${assets.map(renderAsset).join('\n')}
]

type Sizes = readonly [width: number, height: number, size: number]

type Photo = [name: string, topics: string, bytes: readonly [number, number, number, number]]

${Object.keys(photoForms)
  .map(
    (form) =>
      `function ${form}(...facts: Photo): MediaAsset {\n  return photo(forms.${form}, facts)\n}`,
  )
  .join('\n\n')}

/**
 * Creates a photo with one of the usual aspect ratios. The lines that call it are short, because
 * the library loads all photos at once.
 */
function photo([full, thumb, preview, squarePreview]: (typeof forms)[keyof typeof forms], [name, topics, bytes]: Photo): MediaAsset {
  return asset(\`photo-\${name}\`, { full: 'jpg', topics }, [
    [...full, bytes[0]],
    [...thumb, bytes[1]],
    [...preview, bytes[2]],
    [...squarePreview, bytes[3]],
  ])
}

function asset(
  name: string,
  { full: extension, seconds = 0, topics }: { full: string; seconds?: number; topics: string },
  [full, thumb, preview, squarePreview]: readonly [full: Sizes, thumb: Sizes, preview: Sizes, squarePreview: Sizes],
): MediaAsset {
  const file = (variant: MediaVariantName, ending: string, [width, height, size]: Sizes): MediaVariant => ({
    file: \`\${name}/\${variant}.\${ending}\`,
    contentType: contentTypes[ending] ?? '',
    width,
    height,
    size,
  })
  return {
    name,
    type: name.slice(0, name.indexOf('-')) as MediaAsset['type'],
    topics: topics.split(' '),
    duration: seconds,
    variants: {
      full: file('full', extension, full),
      thumb: file('thumb', 'jpg', thumb),
      preview: file('preview', 'jpg', preview),
      squarePreview: file('squarePreview', 'jpg', squarePreview),
    },
  }
}
`
}

function renderAsset({ name, type, topics, duration, variants }: Asset): string {
  const all = variantNames.map((variant) => variants[variant])
  const dimensions = JSON.stringify(all.map(({ width, height }) => [width, height]))
  const [form] =
    Object.entries(photoForms).find(([, usual]) => JSON.stringify(usual) === dimensions) ?? []
  if (type === 'photo' && form !== undefined) {
    const bytes = all.map(({ size }) => size).join(', ')
    return `  ${form}(${[name.slice('photo-'.length), topics.join(' ')].map(quote).join(', ')}, [${bytes}]),`
  }
  const facts = [
    `full: ${quote(variants.full.file.split('.').at(-1) ?? '')}`,
    ...(duration === 0 ? [] : [`seconds: ${duration}`]),
    `topics: ${quote(topics.join(' '))}`,
  ]
  const sizes = all.map(({ width, height, size }) => `[${[width, height, size].join(', ')}]`)
  return `  asset(${quote(name)}, { ${facts.join(', ')} }, [${sizes.join(', ')}]),`
}

/**
 * Generates the loader of the asset bytes. Each asset has its own module, so that one picture can
 * be loaded without the others.
 */
function renderIndex(assets: readonly Asset[]): string {
  const entries = assets.map(({ name }) => `  ${quote(name)}: () => import('./media/${name}.ts'),`)
  return `${header}
/** Loads the files of an asset by its name. Returns them in base64, by file name. */
export const mediaBytes: Readonly<Record<string, () => Promise<{ files: Readonly<Record<string, string>> }>>> = {
${entries.join('\n')}
}
`
}

function renderBytes({ variants }: Asset): string {
  const entries = variantNames.map((variant) => {
    const { file } = variants[variant]
    return `  ${quote(file.slice(file.indexOf('/') + 1))}: ${quote(readMedia(file).toString('base64'))},`
  })
  return `${header}
export const files = {
${entries.join('\n')}
}
`
}

const header = '// Generated by `npm run generate` from fixtures/media. Do not edit.\n'

function quote(text: string): string {
  return `'${text}'`
}
