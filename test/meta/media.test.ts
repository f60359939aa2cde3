import { readFileSync, readdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import { mediaBytes } from '../../src/generated/media-bytes.ts'
import { mediaManifest, type MediaAsset, type MediaVariant } from '../../src/generated/media-manifest.ts'

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

it('lists 8 photos, 3 videos, 2 GIFs and 2 sounds under unique names', () => {
  const count = (type: MediaAsset['type']) => assets.filter((asset) => asset.type === type).length

  expect([count('photo'), count('video'), count('gif'), count('audio')]).toEqual([8, 3, 2, 2])
  expect(new Set(assets.map((asset) => asset.name)).size).toBe(assets.length)
})

it.each(assets)('gives $name four variants of the right kind', ({ name, type, variants: { full, ...others } }) => {
  expect(Object.keys(others).toSorted()).toEqual(['preview', 'squarePreview', 'thumb'])
  expect(fullTypes[type]).toContain(full.contentType)
  for (const [variantName, variant] of Object.entries(others)) {
    expect(variant.file).toBe(`${name}/${variantName}.jpg`)
    expect(variant.contentType).toBe('image/jpeg')
  }
  expect(others.squarePreview.width).toBe(others.squarePreview.height)
})

it.each(assets)('gives $name a duration only if it plays', ({ type, duration }) => {
  const plays = type === 'video' || type === 'audio'

  expect(duration > 0).toBe(plays)
  expect(duration).toBeLessThanOrEqual(2)
})

it.each(variants)('tells the size and the type of $file', ({ file, size, contentType }) => {
  const bytes = readFileSync(new URL(file, mediaFolder))

  expect(size).toBe(bytes.length)
  expect(bytes.toString('latin1')).toMatch(signatures[contentType] ?? /^unknown content type$/)
})

it.each(pictures)('tells the dimensions of $file', ({ file, contentType, width, height }) => {
  const bytes = readFileSync(new URL(file, mediaFolder))

  const toDimensions = contentType === 'image/gif' ? toGifDimensions : toJpegDimensions
  expect({ width, height }).toEqual(toDimensions(bytes))
})

it.each(clips)('tells the dimensions of $file', ({ file, width, height }) => {
  const bytes = readFileSync(new URL(file, mediaFolder))
  const sampleEntry = bytes.indexOf('avc1', bytes.indexOf('stsd'))

  expect({ width, height }).toEqual({ width: bytes.readUInt16BE(sampleEntry + 28), height: bytes.readUInt16BE(sampleEntry + 30) })
})

it.each(clips)('lets $file start before it is loaded whole', ({ file }) => {
  const bytes = readFileSync(new URL(file, mediaFolder))

  expect(bytes.indexOf('moov')).toBeLessThan(bytes.indexOf('mdat'))
})

it('carries the bytes of every file, and of no other', () => {
  const files = readdirSync(mediaFolder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())

  expect(Object.keys(mediaBytes).toSorted()).toEqual(variants.map((variant) => variant.file).toSorted())
  expect(files).toHaveLength(variants.length)
  for (const { file } of variants) {
    const decoded = Buffer.from(mediaBytes[file] ?? '', 'base64')
    expect({ file, isSame: decoded.equals(readFileSync(new URL(file, mediaFolder))) }).toEqual({ file, isSame: true })
  }
})

it('keeps all media together under 450 kB', () => {
  const total = variants.reduce((sum, variant) => sum + variant.size, 0)

  expect(total).toBeLessThan(450_000)
})

function toGifDimensions(bytes: Buffer): { width: number; height: number } {
  return { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) }
}

function toJpegDimensions(bytes: Buffer): { width: number; height: number } {
  // The frame header of a JPEG with three components has the length 17 and samples of 8 bits.
  const offsets = [0xc0, 0xc1, 0xc2].map((marker) => bytes.indexOf(Buffer.from([0xff, marker, 0, 17, 8])))
  const offset = Math.max(...offsets)
  expect(offset).toBeGreaterThan(0)
  return { width: bytes.readUInt16BE(offset + 7), height: bytes.readUInt16BE(offset + 5) }
}
