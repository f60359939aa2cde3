import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sampleRate } from './sounds.ts'
import type { Sound } from './sounds.ts'

/** How many pictures of a video a second has. */
export const videoRate = 12

/** How many pictures of a GIF a second has. */
export const gifRate = 10

/** The longer side of each picture of a file, pixels, and the quality of its JPEG. */
const sides = { full: [640, 29], preview: [320, 30], thumb: [100, 40] } as const

/** Writes the four pictures of a photo: the whole one, two smaller ones and a square. */
export function writePhoto(png: string, folder: string): void {
  writeJpeg(png, join(folder, 'full.jpg'), {
    geometry: `${sides.full[0]}x${sides.full[0]}`,
    quality: sides.full[1],
  })
  writePreviews(png, folder)
}

/** Writes the smaller pictures of a file. */
export function writePreviews(png: string, folder: string): void {
  for (const name of ['preview', 'thumb'] as const)
    writeJpeg(png, join(folder, `${name}.jpg`), {
      geometry: `${sides[name][0]}x${sides[name][0]}`,
      quality: sides[name][1],
    })
  writeJpeg(png, join(folder, 'squarePreview.jpg'), {
    geometry: '160x160^',
    quality: 31,
    crop: '160x160',
  })
}

/** Writes a video of numbered pictures. */
export function writeVideo(frames: string, target: string): void {
  ffmpeg(
    [
      '-framerate',
      String(videoRate),
      '-i',
      frames,
      '-vf',
      'scale=out_color_matrix=bt709:out_range=tv,format=yuv420p',
      '-c:v',
      'libx264',
      '-profile:v',
      'main',
      '-preset',
      'veryslow',
    ],
    [
      '-crf',
      '35',
      '-tune',
      'animation',
      '-threads',
      '1',
      '-bsf:v',
      'filter_units=remove_types=6',
      '-colorspace',
      'bt709',
      '-color_primaries',
      'bt709',
      '-color_trc',
      'bt709',
    ],
    ['-movflags', '+faststart', target],
  )
}

/** Writes a GIF of numbered pictures. */
export function writeGif(frames: string, target: string): void {
  const palette =
    'split[frames][sample];[sample]palettegen=max_colors=20:reserve_transparent=0[palette];' +
    '[frames][palette]paletteuse=dither=none:diff_mode=rectangle'
  ffmpeg(['-framerate', String(gifRate), '-i', frames], ['-vf', palette, '-loop', '0'], [target])
}

/** Plays a sound into a file, by way of a WAV. */
export function writeSound({ seconds, bitrate, play }: Sound, wav: string, target: string): void {
  const samples = new Float64Array(Math.round(seconds * sampleRate))
  play(samples)
  const peak = samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0)
  const bytes = Buffer.alloc(44 + samples.length * 2)
  bytes.write('RIFF', 0, 'latin1')
  bytes.writeUInt32LE(36 + samples.length * 2, 4)
  bytes.write('WAVEfmt ', 8, 'latin1')
  bytes.writeUInt32LE(16, 16)
  bytes.writeUInt16LE(1, 20)
  bytes.writeUInt16LE(1, 22)
  bytes.writeUInt32LE(sampleRate, 24)
  bytes.writeUInt32LE(sampleRate * 2, 28)
  bytes.writeUInt16LE(2, 32)
  bytes.writeUInt16LE(16, 34)
  bytes.write('data', 36, 'latin1')
  bytes.writeUInt32LE(samples.length * 2, 40)
  for (const [index, sample] of samples.entries()) {
    // The last half second fades out, so that a sound does not end with a click.
    const fade = Math.min(1, (samples.length - index) / (sampleRate / 2))
    bytes.writeInt16LE(Math.round((sample / peak) * 0.8 * fade * 32_767), 44 + index * 2)
  }
  writeFileSync(wav, bytes)
  const codec = target.endsWith('.mp3')
    ? ['-c:a', 'libmp3lame', '-id3v2_version', '0']
    : ['-c:a', 'aac', '-movflags', '+faststart']
  ffmpeg(['-i', wav], [...codec, '-b:a', bitrate, '-ac', '1'], [target])
}

function writeJpeg(
  png: string,
  target: string,
  { geometry, quality, crop }: { geometry: string; quality: number; crop?: string },
): void {
  const square = crop === undefined ? [] : ['-gravity', 'center', '-extent', crop]
  const form = [
    '+repage',
    '-strip',
    '-sampling-factor',
    '4:2:0',
    '-interlace',
    'JPEG',
    '-quality',
    String(quality),
  ]
  execFileSync('convert', [png, '-resize', geometry, ...square, ...form, target], {
    stdio: 'inherit',
  })
}

function ffmpeg(
  input: readonly string[],
  options: readonly string[],
  output: readonly string[],
): void {
  const exact = [
    '-map_metadata',
    '-1',
    '-fflags',
    '+bitexact',
    '-flags:v',
    '+bitexact',
    '-flags:a',
    '+bitexact',
  ]
  execFileSync(
    'ffmpeg',
    ['-nostdin', '-v', 'error', '-y', ...input, ...options, ...exact, ...output],
    { stdio: 'inherit' },
  )
}
