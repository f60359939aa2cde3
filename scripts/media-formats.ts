import { extname } from 'node:path'

/** Width and height of a picture in pixels. Both are 0 for sound. */
export type Dimensions = { width: number; height: number }

/**
 * The file type for an extension, and a function that reads the properties of a file from its
 * bytes.
 */
export type MediaFormat = {
  contentType: string
  assetType: string
  readDimensions(bytes: Buffer): Dimensions
  readSeconds(bytes: Buffer): number
}

const formats: Readonly<Record<string, MediaFormat>> = {
  '.jpg': {
    contentType: 'image/jpeg',
    assetType: 'photo',
    readDimensions: readJpegDimensions,
    readSeconds: () => 0,
  },
  '.gif': {
    contentType: 'image/gif',
    assetType: 'gif',
    readDimensions: readGifDimensions,
    readSeconds: () => 0,
  },
  '.mp4': {
    contentType: 'video/mp4',
    assetType: 'video',
    readDimensions: readMp4Dimensions,
    readSeconds: readMp4Seconds,
  },
  '.m4a': {
    contentType: 'audio/mp4',
    assetType: 'audio',
    readDimensions: getNoDimensions,
    readSeconds: readMp4Seconds,
  },
  '.mp3': {
    contentType: 'audio/mpeg',
    assetType: 'audio',
    readDimensions: getNoDimensions,
    readSeconds: readMp3Seconds,
  },
}

/** Returns the format of a media file, based on its extension. */
export function getMediaFormat(file: string): MediaFormat {
  const format = formats[extname(file)]
  if (format === undefined) {
    throw new Error(
      `Failed to read the media file (${file}): its extension is unknown. Use one of ${Object.keys(formats).join(', ')}.`,
    )
  }
  return format
}

function getNoDimensions(): Dimensions {
  return { width: 0, height: 0 }
}

function readJpegDimensions(bytes: Buffer): Dimensions {
  const otherMarkers = new Set([0xc4, 0xc8, 0xcc])
  for (let offset = 2; offset + 9 < bytes.length; offset += 2 + bytes.readUInt16BE(offset + 2)) {
    const marker = bytes.readUInt8(offset + 1)
    if (marker >= 0xc0 && marker <= 0xcf && !otherMarkers.has(marker)) {
      return { width: bytes.readUInt16BE(offset + 7), height: bytes.readUInt16BE(offset + 5) }
    }
  }
  throw new Error('Failed to read a JPEG: it has no frame header. Replace the file.')
}

function readGifDimensions(bytes: Buffer): Dimensions {
  return { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) }
}

function readMp4Dimensions(bytes: Buffer): Dimensions {
  const tracks = findBoxes(findBox(bytes, 'moov'), 'trak')
  for (const header of tracks.map((track) => findBox(track, 'tkhd'))) {
    // The last eight bytes are the width and height as 16.16 fixed-point numbers, or 0 for a sound
    // track.
    const width = header.readUInt16BE(header.length - 8)
    const height = header.readUInt16BE(header.length - 4)
    if (width > 0) {
      return { width, height }
    }
  }
  throw new Error('Failed to read an MP4: it has no picture track. Replace the file.')
}

function readMp4Seconds(bytes: Buffer): number {
  const header = findBox(findBox(bytes, 'moov'), 'mvhd')
  if (header.readUInt8(0) === 1) {
    return Number(header.readBigUInt64BE(24)) / header.readUInt32BE(20)
  }
  return header.readUInt32BE(16) / header.readUInt32BE(12)
}

function findBox(parent: Buffer, type: string): Buffer {
  const [box] = findBoxes(parent, type)
  if (box === undefined) {
    throw new Error(`Failed to read an MP4: it has no ${type} box. Replace the file.`)
  }
  return box
}

function findBoxes(parent: Buffer, type: string): Buffer[] {
  const boxes: Buffer[] = []
  let offset = 0
  while (offset + 8 <= parent.length) {
    const size = parent.readUInt32BE(offset)
    if (size < 8) {
      throw new Error(
        `Failed to read an MP4: a box has the invalid size of ${size} bytes. Replace the file.`,
      )
    }
    if (parent.toString('latin1', offset + 4, offset + 8) === type) {
      boxes.push(parent.subarray(offset + 8, offset + size))
    }
    offset += size
  }
  return boxes
}

function readMp3Seconds(bytes: Buffer): number {
  // The encoder's header contains the number of frames and the number of silent samples added at
  // each end.
  const info = Math.max(bytes.indexOf('Info', 0, 'latin1'), bytes.indexOf('Xing', 0, 'latin1'))
  const isMpeg1 = (bytes.readUInt8(1) & 0x18) === 0x18
  const sampleRate = [44100, 48000, 32000][(bytes.readUInt8(2) >> 2) & 3]
  if (info < 0 || info > 64 || !isMpeg1 || sampleRate === undefined) {
    throw new Error(
      'Failed to read an MP3: it has no Info header, or is not MPEG-1. Replace the file.',
    )
  }
  const padding = bytes.readUIntBE(info + 141, 3)
  const samples = bytes.readUInt32BE(info + 8) * 1152 - (padding >> 12) - (padding & 0xfff)
  return samples / sampleRate
}
