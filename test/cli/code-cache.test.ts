import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { CodeCache } from '../../src/cli/code-cache.ts'
import { setV8Flag } from '../../src/cli/v8-flags.ts'

let place: string
let folder: string
const write = (name: string, text: string) => writeFileSync(join(place, name), text)
const open = () => new CodeCache({ folder, name: 'of-this-version' })
const load = (cache: CodeCache) =>
  cache.require(join(place, 'main.cjs')) as { greet: (name: string) => string; where: string }

beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'code-cache-'))
  folder = join(place, 'kept')
  onTestFinished(() => rmSync(place, { recursive: true }))
  write(
    'main.cjs',
    "const { greeting } = require('./greeting.cjs')\nexports.greet = (name) => `${greeting}, ${name}`\nexports.where = __filename\n",
  )
  write(
    'greeting.cjs',
    "exports.greeting = 'Hello'\nexports.isNode = require('node:fs').existsSync('.')\n",
  )
})

/** Loads and keeps what a first start would. */
function start(): CodeCache {
  const cache = open()
  load(cache)
  cache.keep()
  return cache
}

describe('compiled code that is kept', () => {
  it('is what the next start runs', () => {
    start()
    const next = open()
    expect(load(next).greet('Mara')).toBe('Hello, Mara')
    expect(load(next).where).toBe(join(place, 'main.cjs'))
    expect(next.freshCount).toBe(0)
  })

  it('is compiled by the first start, and once for all who require it', () => {
    const first = open()
    expect(load(first)).toBe(load(first))
    expect(first.freshCount).toBe(2)
    first.keep()
    expect(first.freshCount).toBe(0)
  })

  it('holds although the command has changed flags of V8 in between', () => {
    onTestFinished(() => setV8Flag('heap-growing-percent', 0))
    setV8Flag('heap-growing-percent', 50)
    start()
    setV8Flag('heap-growing-percent', 10)
    const next = open()
    load(next)
    expect(next.freshCount).toBe(0)
  })

  it('is left where a file has changed, even to one of the same length, and kept anew', () => {
    start()
    write(
      'greeting.cjs',
      readFileSync(join(place, 'greeting.cjs'), 'utf8').replace('Hello', 'Salut'),
    )
    const next = open()
    expect(load(next).greet('Mara')).toBe('Salut, Mara')
    expect(next.freshCount).toBe(1)
    next.keep()
    const last = open()
    expect(load(last).greet('Mara')).toBe('Salut, Mara')
    expect(last.freshCount).toBe(0)
  })

  it.each([
    ['cut', (bytes: Buffer) => bytes.subarray(0, bytes.length / 2)],
    ['empty', () => Buffer.alloc(0)],
    ['no such thing', () => Buffer.from('{"main.cjs": 1}')],
  ])('is written anew where the file is %s', (_, damage) => {
    start()
    const file = join(folder, 'of-this-version')
    writeFileSync(file, damage(readFileSync(file)))
    const next = open()
    expect(load(next).greet('Mara')).toBe('Hello, Mara')
    expect(next.freshCount).toBe(2)
    next.keep()
    const last = open()
    load(last)
    expect(last.freshCount).toBe(0)
  })

  it('is not run where a byte of it is another one', () => {
    start()
    const file = join(folder, 'of-this-version')
    const bytes = readFileSync(file)
    const at = bytes.lastIndexOf('Hello')
    writeFileSync(file, bytes.fill('Jello', at, at + 5))
    const next = open()
    expect(load(next).greet('Mara')).toBe('Hello, Mara')
    expect(next.freshCount).toBeGreaterThan(0)
  })

  it('is of this user alone', () => {
    start()
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    expect(readdirSync(folder)).toEqual(['of-this-version'])
  })

  it('is neither read nor written where others can write', () => {
    start()
    chmodSync(folder, 0o777)
    const next = open()
    load(next)
    expect(next.freshCount).toBe(2)
    rmSync(join(folder, 'of-this-version'))
    next.keep()
    expect(readdirSync(folder)).toEqual([])
  })

  it('is not looked for behind a link', () => {
    start()
    const link = join(place, 'link')
    symlinkSync(folder, link)
    folder = link
    const next = open()
    load(next)
    expect(next.freshCount).toBe(2)
  })

  it.each([
    ['a file stands where the folder should be', () => write('kept', '')],
    ['the folder above is missing', () => (folder = join(place, 'missing', 'kept'))],
    ['folders cannot be made', () => (folder = join('/proc', 'kept'))],
  ])('is no condition: all works where %s', (_, arrange) => {
    arrange()
    expect(load(start()).greet('Mara')).toBe('Hello, Mara')
  })
})

it('says which line of which file failed', () => {
  write('main.cjs', "\n\nthrow new Error('no')\n")
  expect(() => load(open())).toThrow(
    expect.objectContaining({ stack: expect.stringContaining(`${join(place, 'main.cjs')}:3:7`) }),
  )
})
