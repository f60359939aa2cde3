// Draws the media files in fixtures/media. Run by hand only: the files are committed, and neither
// the build nor the tests need this.
//
//   npx tsx scripts/draw-media/draw.ts            draws all of them
//   npx tsx scripts/draw-media/draw.ts sea-dawn   draws those of that name
//
// Needs Chromium (CHROMIUM_PATH, else /usr/bin/chromium), ffmpeg with libx264 and libmp3lame, and
// ImageMagick. Everything is drawn by the scenes beside this file, without chance and without
// metadata: the same versions of the tools give the same bytes.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import type { Page } from 'playwright-core'
import { gifs, videos } from './clips.ts'
import type { Clip } from './clips.ts'
import {
  gifRate,
  videoRate,
  writeGif,
  writePhoto,
  writePreviews,
  writeSound,
  writeVideo,
} from './encode.ts'
import { photos } from './pictures.ts'
import type { Scene } from './scene.ts'
import { sounds } from './sounds.ts'
import { toDocument } from './svg.ts'
import type { Size } from './svg.ts'

const mediaFolder = fileURLToPath(new URL('../../fixtures/media/', import.meta.url))
const masters = mkdtempSync(join(tmpdir(), 'media-'))
const wanted = process.argv.slice(2)
const isWanted = ({ name }: { name: string }) => wanted.length === 0 || wanted.includes(name)
if (wanted.length === 0) rmSync(mediaFolder, { recursive: true, force: true })

const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
})
const page = await browser.newPage()
try {
  for (const photo of photos.filter(isWanted))
    writePhoto(await drawScene(photo), folderOf(`photo-${photo.name}`))
  for (const video of videos.filter(isWanted)) {
    const folder = folderOf(`video-${video.name}`)
    writeVideo(await drawFrames(video, videoRate), join(folder, 'full.mp4'))
    writePreviews(await drawFrame(video, 0.6), folder)
  }
  for (const gif of gifs.filter(isWanted)) {
    const folder = folderOf(`gif-${gif.name}`)
    writeGif(await drawFrames(gif, gifRate), join(folder, 'full.gif'))
    writePreviews(await drawFrame(gif, 0.25), folder)
  }
  for (const sound of sounds.filter(isWanted)) {
    const folder = folderOf(`audio-${sound.name}`)
    writeSound(sound, join(masters, 'sound.wav'), join(folder, `full.${sound.extension}`))
    const cover = photos.find(({ name }) => name === sound.cover)
    if (cover === undefined)
      throw new Error(
        `Failed to draw the sound ${sound.name}: there is no photo ${sound.cover} for its cover.`,
      )
    writePreviews(await drawScene(cover), folder)
  }
} finally {
  await browser.close()
  rmSync(masters, { recursive: true })
}

function folderOf(name: string): string {
  const folder = join(mediaFolder, name)
  mkdirSync(folder, { recursive: true })
  return folder
}

function drawScene({ size, draw }: Scene): Promise<string> {
  const scale = 640 / Math.max(...size)
  return paint(page, {
    size,
    width: Math.round(size[0] * scale),
    content: draw(size),
    target: join(masters, 'scene.png'),
  })
}

function drawFrame({ size, width, draw }: Clip, time: number): Promise<string> {
  return paint(page, { size, width, content: draw(size, time), target: join(masters, 'scene.png') })
}

/** Draws all pictures of a clip, and returns how ffmpeg names their files. */
async function drawFrames({ size, width, seconds, draw }: Clip, rate: number): Promise<string> {
  const folder = mkdtempSync(join(masters, 'frames-'))
  const count = Math.round(seconds * rate)
  for (let index = 0; index < count; index += 1)
    await paint(page, {
      size,
      width,
      content: draw(size, index / count),
      target: join(folder, `${String(index).padStart(4, '0')}.png`),
    })
  return join(folder, '%04d.png')
}

async function paint(
  target: Page,
  {
    size,
    width,
    content,
    target: file,
  }: { size: Size; width: number; content: string; target: string },
): Promise<string> {
  const viewport = { width, height: Math.round((width * size[1]) / size[0]) }
  await target.setViewportSize(viewport)
  await target.setContent(
    `<style>body{margin:0}svg{display:block;width:${viewport.width}px;height:${viewport.height}px}</style>${toDocument(size, content)}`,
  )
  await target.screenshot({ path: file })
  return file
}
