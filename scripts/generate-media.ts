import { readFileSync, readdirSync } from 'node:fs'
import { parse } from 'yaml'
import type { GeneratedFile } from './generated-file.ts'

type Form = keyof typeof forms

/** A line of media.yaml, with the name of the asset and the extension of its full file. */
interface Asset {
  name: string
  form: Form
  full?: readonly [width: number, height: number]
  seconds?: number
  topics: readonly string[]
  extension: string
}

const mediaFolder = new URL('../fixtures/media/', import.meta.url)
const variantNames = ['full', 'thumb', 'preview', 'squarePreview'] as const

/** Width and height of the four files of a photo, by form, in the order of `variantNames`. */
const forms = {
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

const contentTypes = {
  gif: 'image/gif',
  jpg: 'image/jpeg',
  m4a: 'audio/mp4',
  mp3: 'audio/mpeg',
  mp4: 'video/mp4',
}

/**
 * Reads the assets in `fixtures/media`. Generates a module with the manifest, and a module with the
 * bytes of each asset.
 */
export function generateMedia(): GeneratedFile[] {
  const listed = parse(readFileSync(new URL('media.yaml', mediaFolder), 'utf8')) as Readonly<
    Record<string, Omit<Asset, 'name' | 'extension'>>
  >
  const assets = Object.entries(listed).map(([name, asset]) => ({
    name,
    ...asset,
    extension: findExtension(name),
  }))
  return [
    { path: 'src/generated/media-manifest.ts', content: renderManifest(assets) },
    { path: 'src/generated/media-bytes.ts', content: renderIndex(assets) },
    ...assets.map((asset) => ({
      path: `src/generated/media/${asset.name}.ts`,
      content: renderBytes(asset),
    })),
  ]
}

function findExtension(name: string): string {
  const file = readdirSync(new URL(`${name}/`, mediaFolder)).find((each) =>
    each.startsWith('full.'),
  )
  if (file === undefined)
    throw new Error(`Failed to read the media asset (${name}): it has no file full. Add the file.`)
  return file.slice('full.'.length)
}

/** Reads the four files of an asset, by file name, in the order of `variantNames`. */
function readFiles({ name, extension }: Asset): [name: string, bytes: Buffer][] {
  return variantNames.map((variant) => {
    const file = `${variant}.${variant === 'full' ? extension : 'jpg'}`
    return [file, readFileSync(new URL(`${name}/${file}`, mediaFolder))]
  })
}

function renderManifest(assets: readonly Asset[]): string {
  return `${header}
const contentTypes: Readonly<Record<string, string>> = {
${Object.entries(contentTypes)
  .map(([ending, type]) => `  ${ending}: ${quote(type)},`)
  .join('\n')}
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
${Object.entries(forms)
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

${Object.keys(forms)
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

function renderAsset(asset: Asset): string {
  const { name, form, full, seconds, topics, extension } = asset
  const bytes = readFiles(asset).map(([, { length }]) => length)
  if (name.startsWith('photo-'))
    return `  ${form}(${[name.slice('photo-'.length), topics.join(' ')].map(quote).join(', ')}, [${bytes.join(', ')}]),`
  const facts = [
    `full: ${quote(extension)}`,
    ...(seconds === undefined ? [] : [`seconds: ${seconds}`]),
    `topics: ${quote(topics.join(' '))}`,
  ]
  const [, ...others] = forms[form]
  const sizes = [full ?? [0, 0], ...others].map(
    (each, at) => `[${[...each, bytes[at]].join(', ')}]`,
  )
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

function renderBytes(asset: Asset): string {
  const entries = readFiles(asset).map(
    ([file, bytes]) => `  ${quote(file)}: ${quote(bytes.toString('base64'))},`,
  )
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
