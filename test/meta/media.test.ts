import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import {
  mediaManifest,
  type MediaAsset,
  type MediaVariant,
} from '../../src/generated/media-manifest.ts'
import { shippedPersonas } from '../../src/generated/persona-index.ts'

const mediaFolder = new URL('../../fixtures/media/', import.meta.url)
const assets: readonly MediaAsset[] = mediaManifest
const variants: readonly MediaVariant[] = assets.flatMap((asset) => Object.values(asset.variants))
const pictures = variants.filter((variant) => variant.contentType.startsWith('image/'))
const clips = variants.filter((variant) => variant.contentType === 'video/mp4')

const signatures: Record<string, RegExp> = {
  'image/jpeg': /^\xff\xd8\xff/,
  'image/gif': /^GIF89a/,
  'video/mp4': /^.{4}ftypisom/s,
  'audio/mp4': /^.{4}ftypM4A /s,
  'audio/mpeg': /^\xff[\xfa\xfb]/,
}

const fullTypes: Record<MediaAsset['type'], string[]> = {
  photo: ['image/jpeg'],
  video: ['video/mp4'],
  gif: ['image/gif'],
  audio: ['audio/mpeg', 'audio/mp4'],
}

it('lists photos of many topics, videos, GIFs and sounds under unique names', () => {
  const count = (type: MediaAsset['type']) => assets.filter((asset) => asset.type === type).length

  expect(count('photo')).toBeGreaterThanOrEqual(60)
  expect(count('video')).toBeGreaterThanOrEqual(8)
  expect(count('gif')).toBeGreaterThanOrEqual(5)
  expect(count('audio')).toBeGreaterThanOrEqual(5)
  expect(
    new Set(assets.filter(({ type }) => type === 'photo').map(({ topics }) => topics[0])).size,
  ).toBeGreaterThanOrEqual(15)
  expect(new Set(assets.map((asset) => asset.name)).size).toBe(assets.length)
  expect(
    new Set(
      assets.map(({ variants: { full } }) =>
        readFileSync(new URL(full.file, mediaFolder)).toString('base64'),
      ),
    ).size,
  ).toBe(assets.length)
})

it('has a photo for every topic of the personas', async () => {
  const topics = new Set(
    assets.filter(({ type }) => type === 'photo').flatMap((asset) => asset.topics),
  )
  const personas = await Promise.all(
    Object.values(shippedPersonas).map(async (load) => (await load()).default),
  )
  const spokenOf = personas.flatMap((persona) =>
    Object.values(persona.topics).flatMap(({ pictures: tags }) => tags),
  )

  expect([...new Set(spokenOf)].filter((tag) => !topics.has(tag))).toEqual([])
})

it.each(assets)(
  'has four variants of $name of the right kind and of different sizes',
  ({ name, type, variants }) => {
    const { full: whole, ...others } = variants
    expect(Object.keys(others).toSorted()).toEqual(['preview', 'squarePreview', 'thumb'])
    expect(fullTypes[type]).toContain(whole.contentType)
    for (const [variantName, variant] of Object.entries(others)) {
      expect(variant.file).toBe(`${name}/${variantName}.jpg`)
      expect(variant.contentType).toBe('image/jpeg')
    }
    expect(others.squarePreview.width).toBe(others.squarePreview.height)
    const longest = ({ width, height }: MediaVariant) => Math.max(width, height)
    const full = type === 'photo' || type === 'video' ? [longest(variants.full)] : []
    const sizes = [
      longest(others.thumb),
      longest(others.squarePreview),
      longest(others.preview),
      ...full,
    ]
    expect(sizes).toEqual([...new Set(sizes)].toSorted((a, b) => a - b))
  },
)

it.each(assets)('has a duration for $name if it plays', ({ type, duration, variants }) => {
  const [least, most] = type === 'video' ? [5, 180] : type === 'audio' ? [10, 60] : [0, 0]
  expect(duration).toBeGreaterThanOrEqual(least)
  expect(duration).toBeLessThanOrEqual(most)
  if (!variants.full.contentType.endsWith('/mp4')) return
  const bytes = readFileSync(new URL(variants.full.file, mediaFolder))
  const header = bytes.indexOf('mvhd')
  const [scale, length] = [bytes.readUInt32BE(header + 16), bytes.readUInt32BE(header + 20)]
  expect(Math.abs(length / scale - duration)).toBeLessThanOrEqual(0.05)
})

it.each(variants)('has the type of $file', ({ file, contentType }) => {
  const bytes = readFileSync(new URL(file, mediaFolder))

  expect(bytes.toString('latin1')).toMatch(signatures[contentType] ?? /^unknown content type$/)
})

it.each(pictures)('has the dimensions of $file', ({ file, contentType, width, height }) => {
  const bytes = readFileSync(new URL(file, mediaFolder))

  const toDimensions = contentType === 'image/gif' ? toGifDimensions : toJpegDimensions
  expect({ width, height }).toEqual(toDimensions(bytes))
})

it.each(clips)('has the dimensions of $file, which can play before it is loaded', (clip) => {
  const { file, width, height } = clip
  const bytes = readFileSync(new URL(file, mediaFolder))
  const sampleEntry = bytes.indexOf('avc1', bytes.indexOf('stsd'))

  expect({ width, height }).toEqual({
    width: bytes.readUInt16BE(sampleEntry + 28),
    height: bytes.readUInt16BE(sampleEntry + 30),
  })
  expect(bytes.indexOf('moov')).toBeLessThan(bytes.indexOf('mdat'))
})

it('keeps all media at 2.5 MB or less in total', () => {
  const total = variants.reduce((sum, variant) => sum + variant.size, 0)

  expect(total).toBeLessThanOrEqual(2_500_000)
})

function toGifDimensions(bytes: Buffer): { width: number; height: number } {
  return { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) }
}

function toJpegDimensions(bytes: Buffer): { width: number; height: number } {
  // In a JPEG with three components, the frame header has length 17 and 8-bit samples.
  const offsets = [0xc0, 0xc1, 0xc2].map((marker) =>
    bytes.indexOf(Buffer.from([0xff, marker, 0, 17, 8])),
  )
  const offset = Math.max(...offsets)
  expect(offset).toBeGreaterThan(0)
  return { width: bytes.readUInt16BE(offset + 7), height: bytes.readUInt16BE(offset + 5) }
}
