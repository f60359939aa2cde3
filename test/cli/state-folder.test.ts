import { execFileSync } from 'node:child_process'
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { explainIrregularFile } from '../../src/cli/state-lock.ts'
import { createTemporaryFolder, expectRefusal, serveCommand } from '../support/command.ts'

/** Starts a server that saves its worlds in a folder and keeps at most two of them in memory. */
async function serveFrom(folder: string, ...flags: string[]) {
  const options = ['--scenario', 'solo', '--clock', 'frozen', '--max-worlds', '2', ...flags]
  const { url, stop, control } = await serveCommand('--state', folder, ...options)
  const { keys, accounts } = await control('state')
  const keyOf = (world: string) => `${keys[0].key}~${world}`
  /** Sends a request, to a world if one is given. A body is sent with POST. */
  const ask = async (path: string, world?: string, body?: object, method = 'POST') => {
    const headers = {
      ...(world === undefined ? {} : { authorization: `Bearer ${keyOf(world)}` }),
      'content-type': 'application/json',
    }
    const init = body && { method, body: JSON.stringify(body) }
    const answer = await fetch(path.startsWith('http') ? path : url + path, { headers, ...init })
    const text = await answer.text()
    return { status: answer.status, body: /^[{[]/.test(text) ? JSON.parse(text) : text }
  }
  const lists = `/v1/${accounts[0].id}/vault/lists`
  const namesOf = (list: { name: string }[]) => list.map(({ name }) => name)
  return {
    url,
    stop,
    control,
    ask,
    account: accounts[0].id as number,
    remove: (world: string) => fetch(`${url}/_sandbox/worlds/${world}`, { method: 'DELETE' }),
    inMemory: async () => (await control('worlds')).map(({ id }: { id: string }) => id),
    write: async (world: string, name: string) => (await ask(lists, world, { name })).status,
    /** Returns the lists that were added to a world, or the status of a failed request. */
    async read(world: string): Promise<string[] | number> {
      const { status, body } = await ask(lists, world)
      return status === 200
        ? namesOf(body.data.list).filter((name) => name.startsWith('my'))
        : status
    },
  }
}

/** Returns the file names in a folder, except files with seeded rows. */
const filesIn = (folder: string) =>
  readdirSync(folder)
    .filter((name) => !name.startsWith('base-'))
    .toSorted()

it('saves the least recently used world to its file, and loads it again on its next request', async () => {
  const folder = join(createTemporaryFolder(), 'inner', 'worlds')
  const { write, read, inMemory, control, stop } = await serveFrom(folder)
  for (const world of ['a', 'b', 'c']) expect(await write(world, `my ${world}`)).toBe(200)
  expect(await inMemory()).toEqual(['b', 'c'])
  expect(await read('a')).toEqual(['my a'])
  expect(await inMemory()).toEqual(['c', 'a'])
  expect(await control('requests?world=a')).toMatchObject([
    { note: 'The world a was restored from --state. Its journal is empty.' },
  ])
  // Unchanged worlds are not written again.
  for (const world of ['b', 'c', 'a', 'b']) expect(await read(world)).toEqual([`my ${world}`])
  expect(await write('a', 'my second')).toBe(200)
  await stop()
  expect(filesIn(folder)).toEqual(['_a.state', '_b.state', '_c.state', 'main.state', 'store.state'])

  const again = await serveFrom(folder)
  expect(await again.inMemory()).toEqual([])
  expect(await again.read('a')).toEqual(['my a', 'my second'])
  for (const world of ['b', 'c']) expect(await again.read(world)).toEqual([`my ${world}`])
  expect(await again.read('d')).toEqual([])
})

it('handles many requests to a world in order while it is being loaded, and keeps their writes', async () => {
  const { write, read } = await serveFrom(createTemporaryFolder())
  for (const world of ['a', 'b', 'c']) await write(world, `my ${world}`)
  expect(
    await Promise.all(['one', 'two', 'three'].map((name) => write('a', `my ${name}`))),
  ).toEqual([200, 200, 200])
  expect(await Promise.all(['c', 'b', 'a', 'b', 'c', 'a'].map((world) => read(world)))).toSatisfy(
    (found: unknown[]) => found.every((lists) => Array.isArray(lists) || lists === 503),
  )
  expect((await read('a')) as string[]).toHaveLength(4)
})

it('serves more worlds than fit in memory to parallel clients, and keeps all their writes', async () => {
  const folder = createTemporaryFolder()
  const { write, read, inMemory, stop } = await serveFrom(folder, '--max-worlds', '8')
  const names = Array.from({ length: 24 }, (_, index) => `world${index}`)
  const inParallel = async <Result>(ask: (name: string) => Promise<Result>) => {
    const waiting = [...names]
    const answers: Record<string, Result> = {}
    const client = async () => {
      for (let name = waiting.pop(); name !== undefined; name = waiting.pop())
        answers[name] = await ask(name)
    }
    await Promise.all(Array.from({ length: 8 }, client))
    return answers
  }
  const written = await inParallel((name) => write(name, `my ${name}`))
  expect(new Set(Object.values(written))).toEqual(new Set([200]))
  expect(await inParallel(read)).toEqual(
    Object.fromEntries(names.map((name) => [name, [`my ${name}`]])),
  )
  expect((await inMemory()).length).toBeLessThanOrEqual(8)
  await stop()
})

it('opens media links, upload URLs and public pages of a world that is not in memory', async () => {
  const { ask, account, write, inMemory } = await serveFrom(createTemporaryFolder())
  const askData = async (path: string, body?: object) =>
    (await ask(`/v1/${account}/${path}`, 'a', body)).body.data
  const posts = await askData('posts?media_type=photos&limit=1')
  const key = 'upload/0b2d8b1e-5d2c-4f8e-9a55-2f6c1c0e7a11/000000000001/photo.jpg'
  const upload = { key, parts: 1, contentType: 'image/jpeg' }
  const signed = await askData('upload/signed/create', upload)
  const links = await askData('trial-links')
  const share = await askData(`trial-links/${links.list[0].id}/shares`, {})
  const leave = async () => {
    for (const world of ['b', 'c']) await write(world, 'my list')
    expect(await inMemory()).not.toContain('a')
  }
  await leave()
  expect((await ask(posts.list[0].media[0].files.full.url)).status).toBe(200)
  await leave()
  expect((await ask(share.url)).status).toBe(200)
  await leave()
  const body = 'x'.repeat(2 * 1024 * 1024)
  expect((await fetch(signed.url, { method: 'PUT', body })).status).toBe(200)
})

it('removes the file of a world together with the world', async () => {
  const folder = createTemporaryFolder()
  const { remove, write, read, stop } = await serveFrom(folder)
  for (const world of ['a', 'b', 'c']) await write(world, `my ${world}`)
  for (const world of ['a', 'c']) expect((await remove(world)).status).toBe(200)
  expect((await remove('a')).status).toBe(404)
  expect([await read('a'), await read('b')]).toEqual([[], ['my b']])
  await stop()
  expect(filesIn(folder)).toEqual(['_a.state', '_b.state', 'main.state', 'store.state'])
})

it('rejects requests to a damaged world until it is removed, does not change its file, and serves all other worlds', async () => {
  const folder = createTemporaryFolder()
  const first = await serveFrom(folder)
  for (const world of ['a', 'b', 'c']) await first.write(world, `my ${world}`)
  // A second scenario in use, whose rows must be kept for the world that cannot be read.
  await first.control('scenario?world=a', { name: 'launch-day' }, 'PUT')
  await first.stop()
  const bases = readdirSync(folder).filter((name) => name.startsWith('base-'))
  expect(bases).toHaveLength(2)
  const damaged = readFileSync(join(folder, '_a.state'), 'utf8').replace(/"seed":\d/, '"seed":7')
  writeFileSync(join(folder, '_a.state'), damaged)
  const { ask, read, remove, account } = await serveFrom(folder)
  const [a, again, b] = await Promise.all(['a', 'a', 'b'].map((world) => read(world)))
  expect([a, again, b]).toEqual([503, 503, ['my b']])
  expect((await ask(`/v1/${account}/posts`, 'a')).body.error).toMatch(
    /^Failed to restore the world a from --state: .*its checksum does not match its content/,
  )
  expect((await ask('/_sandbox/data?world=a')).body.error).toMatch(
    /^Failed to restore the world a from --state: /,
  )
  expect(readFileSync(join(folder, '_a.state'), 'utf8')).toBe(damaged)
  expect(readdirSync(folder).filter((name) => name.startsWith('base-'))).toEqual(bases)
  await remove('a')
  expect(await read('a')).toEqual([])
})

/** Things in a state folder that are not regular files. */
const irregular: Record<string, { create: (path: string) => void; text: string }> = {
  'a link to a missing file': {
    create: (path) => symlinkSync('nowhere', path),
    text: 'it is a link to a file that does not exist',
  },
  'a named pipe': {
    create: (path) => execFileSync('mkfifo', [path]),
    text: 'it is a named pipe (FIFO), not a regular file',
  },
  'a folder': { create: (path) => mkdirSync(path), text: 'it is a folder, not a regular file' },
}

it
  .skipIf(process.platform === 'win32')
  .each(
    ['_new', 'main', 'store', 'base-0', 'main.state.lock'].flatMap((item) =>
      Object.keys(irregular).map((kind) => ({ item, kind })),
    ),
  )('names $kind in the place of $item, with exit code 2', async ({ item, kind }) => {
  const folder = createTemporaryFolder()
  const { create, text } = irregular[kind] as (typeof irregular)[string]
  const name = item.endsWith('.lock') ? item : `${item}.state`
  create(join(folder, name))
  await expectRefusal(
    ['--port', '0', '--scenario', 'solo', '--state', folder],
    `Failed to use the state (${folder}): ${name} cannot be used, because ${text}. Remove it, or ` +
      'use another --state.\n',
  )
})

it('names a file that disappears while the folder is read', async () => {
  const missing = join(createTemporaryFolder(), 'main.state')
  expect(await explainIrregularFile(missing)).toBe('it disappeared while the folder was read')
})

it.skipIf(process.platform === 'win32')(
  'rejects requests to a world whose file became a named pipe, and stops at once',
  async () => {
    const folder = createTemporaryFolder()
    const first = await serveFrom(folder)
    for (const world of ['a', 'b']) await first.write(world, `my ${world}`)
    await first.stop()
    const { read, stop } = await serveFrom(folder)
    rmSync(join(folder, '_a.state'))
    execFileSync('mkfifo', [join(folder, '_a.state')])
    expect([await read('a'), await read('b')]).toEqual([503, ['my b']])
    expect(await stop()).toMatchObject({ code: 0 })
  },
)

it.skipIf(process.platform === 'win32')(
  'can be read only by its owner, because the files contain keys',
  async () => {
    const folder = join(createTemporaryFolder(), 'worlds')
    const { ask, stop } = await serveFrom(folder)
    await ask('/v1/tags', 'one')
    const modes = () =>
      ['', ...readdirSync(folder)].map((name) => [
        name.replace(/^base-\w+/, 'base'),
        (statSync(join(folder, name)).mode & 0o777).toString(8),
      ])
    expect(Object.fromEntries(modes())).toMatchObject({
      '': '700',
      'main.state': '600',
      'main.state.lock': '600',
    })
    await stop()
    expect(Object.fromEntries(modes())).toEqual({
      '': '700',
      'main.state': '600',
      'store.state': '600',
      'base.state': '600',
      '_one.state': '600',
    })
  },
)
