import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { open } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { createFile, replaceFile, requireOutput, writeOutput } from '../../src/cli/replace-file.ts'
import { createTemporaryFolder, runInProcess, serveCommand } from '../support/command.ts'

const isWindows = process.platform === 'win32'

/** Makes each file of this process take only the first half of its content. */
async function writeHalves(): Promise<void> {
  const handle = await open(import.meta.filename)
  const prototype = Object.getPrototypeOf(handle) as FileHandle
  await handle.close()
  vi.spyOn(prototype, 'writeFile').mockImplementation(async function (this: FileHandle, content) {
    const bytes = content as Uint8Array
    await this.write(bytes, 0, Math.floor(bytes.length / 2))
  })
}

it('keeps the old content if only half of the new content was written', async () => {
  const folder = createTemporaryFolder()
  const file = join(folder, 'report.md')
  await replaceFile(file, 'old')
  await writeHalves()
  await expect(replaceFile(file, 'new content')).rejects.toThrow('only 5 of 11 bytes were written')
  expect(readFileSync(file, 'utf8')).toBe('old')
  await expect(createFile(join(folder, 'keys.json'), '{}', { mode: 0o600 })).rejects.toThrow(
    'only 1 of 2 bytes were written',
  )
  expect(readdirSync(folder)).toEqual(['report.md'])
})

it('keeps the saved world if only half of the new state was written, and names what is lost', async () => {
  const folder = join(createTemporaryFolder(), 'state')
  const { url, stop } = await serveCommand('--scenario', 'solo', '--state', folder)
  const file = join(folder, 'main.state')
  const saved = readFileSync(file)
  await writeHalves()
  await fetch(`${url}/_sandbox/actions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"type":"limits.set","minute":12}',
  })
  const { code, stderr } = await stop()
  expect(code).toBe(1)
  expect(stderr).toMatch(
    /: only \d+ of \d+ bytes were written\. Lost: changes since 20\S+Z to the main world\.\n$/,
  )
  expect(readFileSync(file)).toEqual(saved)
})

it.each<[string, string[]]>([
  ['the recording', ['record', '--scenario', 'solo', '--out']],
  ['the overlay of watch', ['watch', '--live', 'http://127.0.0.1:9', '--out']],
])('reports that only half of %s was written, and keeps the old file', async (_, command) => {
  const folder = createTemporaryFolder()
  const file = join(folder, 'out.yaml')
  writeFileSync(file, 'old')
  const isRecording = command.includes('record')
  const server = isRecording ? await serveCommand(...command, file) : undefined
  await writeHalves()
  const { code, stderr } = await (server?.stop() ?? runInProcess(...command, file, '--port', '0'))
  expect(code).toBe(isRecording ? 1 : 2)
  expect(stderr).toContain('bytes were written.')
  if (isRecording) expect(stderr).toContain('Lost: the 0 recorded steps.')
  expect(readFileSync(file, 'utf8')).toBe('old')
  expect(readdirSync(folder)).toEqual(['out.yaml'])
})

it.skipIf(isWindows)('keeps the mode of a file, and follows links to it', async () => {
  const folder = createTemporaryFolder()
  const [file, link] = [join(folder, 'file.yaml'), join(folder, 'link.yaml')]
  writeFileSync(file, 'old')
  chmodSync(file, 0o646)
  symlinkSync('file.yaml', link)
  await writeOutput(link, 'new')
  expect(readFileSync(file, 'utf8')).toBe('new')
  expect((statSync(file).mode & 0o777).toString(8)).toBe('646')
  expect(lstatSync(link).isSymbolicLink()).toBe(true)
  // The link to a missing file creates that file.
  const [other, dangling] = [join(folder, 'other.yaml'), join(folder, 'dangling.yaml')]
  symlinkSync('other.yaml', dangling)
  await writeOutput(dangling, 'new')
  expect(readFileSync(other, 'utf8')).toBe('new')
  expect(readdirSync(folder).filter((name) => name.startsWith('.'))).toEqual([])
})

it.skipIf(isWindows)(
  'writes pipes and devices in place, without waiting for a reader',
  async () => {
    const fifo = join(createTemporaryFolder(), 'pipe')
    execFileSync('mkfifo', [fifo])
    await requireOutput(fifo)
    await expect(writeOutput(fifo, 'text')).rejects.toThrow('ENXIO')
    const reader = await open(fifo, 'r+')
    // The text is larger than the buffer of the pipe, so the writer has to wait for the reader.
    const text = 'text '.repeat(50_000)
    const written = writeOutput(fifo, text)
    const buffer = Buffer.alloc(text.length)
    for (let length = 0; length < text.length;)
      length += (await reader.read(buffer, length)).bytesRead
    await written
    await reader.close()
    expect(buffer.toString()).toBe(text)
    expect(statSync(fifo).isFIFO()).toBe(true)
    await requireOutput('/dev/null')
    await writeOutput('/dev/null', 'text')
    expect(statSync('/dev/null').isCharacterDevice()).toBe(true)
  },
)

it('refuses a folder, and a file in a missing folder, before anything is written', async () => {
  const folder = createTemporaryFolder()
  mkdirSync(join(folder, 'inner'))
  await expect(writeOutput(join(folder, 'inner'), 'text')).rejects.toThrow('EISDIR')
  await expect(replaceFile(join(folder, 'inner'), 'text')).rejects.toThrow('it is a folder')
  await expect(requireOutput(join(folder, 'missing', 'file'))).rejects.toThrow('ENOENT')
  expect(readdirSync(folder)).toEqual(['inner'])
})

it('creates a file only if there is none', async () => {
  const file = join(createTemporaryFolder(), 'keys.json')
  await createFile(file, 'first', { mode: 0o600 })
  await expect(createFile(file, 'second', { mode: 0o600 })).rejects.toThrow('EEXIST')
  expect(readFileSync(file, 'utf8')).toBe('first')
  if (!isWindows) expect((statSync(file).mode & 0o777).toString(8)).toBe('600')
})
