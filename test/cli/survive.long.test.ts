import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runChild } from '../../src/cli/survive/child.ts'
import { startCommand, createTemporaryFolder } from '../support/command.ts'
import { client, survive } from '../support/survive.ts'

it('judges a run with more requests than the journal of a server stores', async () => {
  const code = `
    const { CREATOR_API_URL: url, CREATOR_API_KEY: key } = process.env
    const headers = { authorization: 'Bearer ' + key }
    const read = async () => (await fetch(url + '/v1/tags', { headers })).ok
    if (!(await read()) && !(await read())) process.exitCode = 1
    for (let sent = 0; sent < 22; sent += 1)
      await Promise.all(Array.from({ length: 50 }, () => fetch(url + '/v1/tags', { headers })))
  `
  const flags = ['--scenario', 'boundaries', '--only', 'bad-gateway', '--format', 'json']
  const command = ['--', process.execPath, '--input-type=module', '-e', code]
  const { stdout } = await startCommand('survive', ...flags, ...command).ended
  expect(JSON.parse(stdout).results).toMatchObject([{ runs: 1, met: 1, survived: 1 }])
})

it('prints the results so far when it is interrupted, and stops the command', async () => {
  const marker = join(createTemporaryFolder(), 'pid')
  const code = `
    import { writeFileSync } from 'node:fs'
    await api('/v1/tags').catch(() => {
      writeFileSync(${JSON.stringify(marker)}, String(process.pid))
      return new Promise((resolve) => setTimeout(resolve, 1e6))
    })
  `
  const command = ['survive', '--scenario', 'solo', '--jobs', '1']
  const only = ['--seeds', '1', '--only', 'key-order,bad-gateway,no-credits']
  const { ended, send } = startCommand(...command, ...only, ...client(code))
  const readPid = () => (existsSync(marker) ? Number(readFileSync(marker, 'utf8')) : 0)
  await expect.poll(readPid).toBeGreaterThan(0)
  send('SIGINT')
  const { code: exitCode, stdout, stderr } = await ended
  expect(stdout).toMatch(/key-order +1 of 1\nbad-gateway +not triggered\nno-credits +not triggered/)
  expect(stderr).toContain('Stopped after 1 of 3 runs.')
  expect(exitCode).toBe(1)
  expect(() => process.kill(readPid(), 0)).toThrow('ESRCH')
})

it('stops a command together with the programs that it started', async () => {
  const [started, ended] = ['started', 'ended'].map((name) => join(createTemporaryFolder(), name))
  const grandchild = `
    process.on('SIGTERM', () => {
      fs.writeFileSync(${JSON.stringify(ended)}, '')
      process.exit()
    })
    fs.writeFileSync(${JSON.stringify(started)}, '')
    setTimeout(() => {}, 1e6)`
  const script = join(createTemporaryFolder(), 'parent.mjs')
  writeFileSync(
    script,
    `import { spawn } from 'node:child_process'
     spawn(process.execPath, ['-e', ${JSON.stringify(grandchild)}])
     console.log('running')
     setTimeout(() => {}, 1e6)`,
  )
  const controller = new AbortController()
  const options = { env: {}, timeoutMs: 60_000, signal: controller.signal }
  const run = runChild([process.execPath, script], options)
  await expect.poll(() => existsSync(started ?? '')).toBe(true)
  controller.abort()
  expect(await run).toEqual({
    exitCode: null,
    signal: 'SIGTERM',
    output: 'running\n',
    stdout: 'running\n',
  })
  await expect.poll(() => existsSync(ended ?? '')).toBe(true)
})

it('stops programs that a command has left running', async () => {
  const [started, stopped] = ['started', 'stopped'].map((name) =>
    join(createTemporaryFolder(), name),
  )
  const left = `
    process.on('SIGTERM', () => {
      fs.writeFileSync(${JSON.stringify(stopped)}, '')
      process.exit()
    })
    setTimeout(() => {}, 1e6)
    fs.writeFileSync(${JSON.stringify(started)}, '')`
  const code = `
    const { spawn } = require('child_process')
    spawn(process.execPath, ['-e', ${JSON.stringify(left)}], { stdio: 'inherit' })
    setInterval(() => fs.existsSync(${JSON.stringify(started)}) && process.exit(3), 20)`
  const { signal } = new AbortController()
  const options = { env: {}, timeoutMs: 60_000, signal }
  const ended = await runChild([process.execPath, '-e', code], options)
  expect(ended).toEqual({ exitCode: 3, signal: null, output: '', stdout: '' })
  expect(existsSync(stopped ?? '')).toBe(true)
})

it('stops a command that takes too long', async () => {
  const { signal } = new AbortController()
  const command = [process.execPath, '-e', 'setTimeout(() => {}, 1e6)']
  const ended = await runChild(command, { env: {}, timeoutMs: 1, signal })
  expect(ended).toEqual({ exitCode: null, signal: 'SIGTERM', output: '', stdout: '', isLate: true })
})

it('reports the signal that ended a run, and can be stopped during the first run', async () => {
  const code = "await api('/v1/tags').catch(() => process.kill(process.pid, 'SIGKILL'))"
  const { stdout } = await survive('--only', 'no-credits', '--expect-error', '4', ...client(code))
  expect(stdout).toContain('seed 1: The signal SIGKILL ended the command.')
  const marker = join(createTemporaryFolder(), 'started')
  const endless = `
    import { writeFileSync } from 'node:fs'
    writeFileSync(${JSON.stringify(marker)}, '')
    setTimeout(() => {}, 1e6)`
  const { ended, send } = startCommand('survive', '--scenario', 'solo', ...client(endless))
  await expect.poll(() => existsSync(marker)).toBe(true)
  send('SIGTERM')
  expect(await ended).toMatchObject({ code: 1, stderr: 'Stopped after 0 of 0 runs.\n' })
})

it('prints what a command survived, what broke it, and the command that repeats the run', async () => {
  const wrong = client(`
    const { list } = await api('/v1/' + account + '/posts?limit=5')
    for (let line = 1; line < 20; line += 1) console.log('line', line)
    if (list[0].id > 2 ** 31) throw new RangeError('id out of range')
  `)
  const only = 'large-ids,key-order,expiring-links,no-credits'
  const { code, stdout, stderr } = await survive('--seeds', '2', '--only', only, ...wrong)
  expect(stdout).toContain(
    [
      'name            survived       reported  first broken by',
      'key-order       2 of 2',
      'large-ids       0 of 1                   seed 1: exit code 1: RangeError: id out of range',
      'expiring-links  not triggered',
      'no-credits                     1',
      '',
      'Survived 1 of 2 (50 %), reported 1, not triggered 1.',
    ].join('\n'),
  )
  expect(stdout).toContain('Output (the last 20 of ')
  expect(stdout).toMatch(/#1 GET \/v1\/\d+\/posts\?limit=5 200\n/)
  expect(stdout).toContain(
    `Run it again: npx creator-api-sandbox survive --scenario solo --only large-ids:1 -- `,
  )
  expect(stderr).toContain('The command passed. Next: 5 runs.')
  expect(code).toBe(1)
})

it('writes JSON, fills in the URL, the key and the account, and runs a single seed', async () => {
  const code = `
    const [url, key, account] = process.argv.slice(1)
    const response = await fetch(url + '/v1/' + account + '/posts', { headers: { 'x-api-key': key } })
    await response.text()
    process.exitCode = response.ok ? 0 : 3
  `
  const command = [
    process.execPath,
    '--input-type=module',
    '-e',
    code,
    '{url}',
    '{key}',
    '{account}',
  ]
  const flags = ['--format', 'json', '--only', 'bad-gateway,key-order:7']
  const { stdout, code: exitCode } = await survive(
    ...flags,
    '--expect-error',
    'ok',
    '--',
    ...command,
  )
  expect(JSON.parse(stdout)).toMatchObject({
    results: [
      { name: 'key-order', kind: 'variation', runs: 1, met: 1, survived: 1, reported: 0 },
      {
        name: 'bad-gateway',
        kind: 'bad-day',
        runs: 1,
        met: 1,
        survived: 0,
        failures: [
          { seed: 1, exitCode: 3, findings: [], output: '', requests: [{ id: 1, status: 502 }] },
        ],
      },
    ],
  })
  expect(exitCode).toBe(1)
})

it('runs each command in its own world, and detects duplicate writes', async () => {
  const code = `
    if ((await api('/v1/tags')).list.some(({ name }) => name === 'new')) throw new Error('known')
    await api('/v1/tags', 'new').catch(() => api('/v1/tags', 'new'))
  `
  const flags = ['--seeds', '3', '--only', 'key-order,lost-answer', '--format', 'markdown']
  const { stdout, code: exitCode } = await survive(...flags, ...client(code))
  expect(stdout).toContain('| `key-order` | 3 of 3 |  |')
  expect(stdout).toMatch(/\| `lost-answer` \| 0 of 1 \| {2}\| seed 1: repeated-write: /)
  expect(stdout).toContain('### lost-answer, seed 1\n')
  expect(exitCode).toBe(1)
})

it('compares stdout or a file with that of the plain run, and ignores stderr', async () => {
  const file = join(createTemporaryFolder(), 'result {key}.txt')
  const code = `
    import { writeFileSync } from 'node:fs'
    const { list } = await api('/v1/' + account + '/posts?limit=100')
    const { id } = await api('/v1/tags', 'new').catch(() => api('/v1/tags', 'new'))
    console.error(Math.random())
    console.log(key, id, new Date().toISOString())
    writeFileSync(process.argv[1], list.length + ' posts')
  `
  const flags = ['--seeds', '1', '--only', 'short-pages,null-next-page,bad-gateway']
  const wrong = await survive(...flags, '--output', file, ...client(code), file)
  expect(wrong.stdout).toMatch(/short-pages +0 of 1 .* in line 1: - 16 posts \+ \d+ posts\n/)
  expect(wrong.stdout).toMatch(/\n {2}- 16 posts\n {2}\+ \d+ posts\n/)
  expect(wrong.stdout).toMatch(/null-next-page +1 of 1\n/)
  const unseen = await survive(...flags, ...client(code), file)
  expect(unseen.stdout).toMatch(/short-pages +1 of 1\n/)
  const random = `${code}\nconsole.log(Math.random())`
  const { stdout } = await survive(...flags, ...client(random), file)
  expect(stdout).toMatch(/\. *\noutput not compared: it is not repeatable\n/)
})

it.each([
  [[], 0, 'reported 1'],
  [['--expect-error', 'status 4\\d\\d'], 0, 'Survived 1 of 1 (100 %)'],
  [['--expect-error', 'no credits'], 1, 'Survived 0 of 1 (0 %)'],
  [['--expect-error', 'no credits', '--fail-under', '0'], 0, 'Survived 0 of 1 (0 %)'],
])('judges an error on a bad day by %j', async (flags, code, summary) => {
  const ended = await survive('--only', 'no-credits', ...flags, ...client("await api('/v1/tags')"))
  expect(ended.stdout).toContain(summary)
  expect(ended.code).toBe(code)
})

it.each([
  ['\nNode.js v', client("await api('/v1/nowhere')")],
  [
    'the client also fails without variations: exit code 1: Error: status 404',
    client("await api('/v1/nowhere')"),
  ],
  ['the command sent no request to the sandbox', client('')],
])('rejects a command that cannot be judged: %s', async (message, flags) => {
  const { code, stderr } = await survive(...flags)
  expect(stderr).toContain(message)
  expect(code).toBe(2)
})

it('states on how many routes a bad day did not happen', async () => {
  const code = "for (const path of ['tags', 'accounts', account + '/me']) await api('/v1/' + path)"
  const only = ['--seeds', '2', '--only', 'no-credits,bad-gateway']
  const { stdout } = await survive(...only, ...client(code))
  expect(stdout).toContain('\nNot run: no-credits on 1 of 3 routes. To run all: --seeds 3.\n')
  const all = await survive('--seeds', '3', '--only', 'no-credits', ...client(code))
  expect(all.stdout).not.toContain('Not run')
  const single = await survive('--only', 'no-credits:1', ...client(code))
  expect(single.stdout).not.toContain('Not run')
})

it('rejects a command that resets its world', async () => {
  const code = `
    await api('/v1/tags')
    const reset = url + '/_sandbox/reset?world=' + key.split('~')[1]
    const response = await fetch(reset, { method: 'POST' })
    if (!response.ok) throw new Error('status ' + response.status)
  `
  const { code: exitCode, stderr } = await survive('--only', 'key-order', ...client(code))
  expect(stderr).toContain('the command reset or restored the sandbox, or loaded another scenario')
  expect(exitCode).toBe(2)
})

it('removes colours from the output of a command', async () => {
  const code = String.raw`
    const { list } = await api('/v1/' + account + '/posts?limit=100')
    if (list.length < 16) {
      console.error('\u001B[31m\u001B[1mAssertionError\u001B[22m: expected 16 posts\u001B[39m')
      console.error('\u001B[2m Duration 411ms\u001B[22m')
      process.exitCode = 1
    }
  `
  const flags = ['--seeds', '1', '--only', 'short-pages']
  const { stdout } = await survive(...flags, ...client(code))
  expect(stdout).toContain('seed 1: exit code 1: AssertionError: expected 16 posts\n')
  expect(stdout).toContain('  AssertionError: expected 16 posts\n     Duration 411ms\n')
})

it('writes a file for each failed run', async () => {
  const folder = join(createTemporaryFolder(), 'runs')
  const code = `
    const { list } = await api('/v1/' + account + '/posts?limit=100')
    for (let line = 1; line < 30; line += 1) console.log('line ' + line)
    if (list.length < 16) throw new Error('short')
  `
  await survive('--seeds', '2', '--only', 'short-pages', '--out', folder, ...client(code))
  expect(readdirSync(folder)).toEqual(['short-pages-1.txt', 'short-pages-2.txt'])
  const text = readFileSync(join(folder, 'short-pages-2.txt'), 'utf8')
  expect(text).toContain('  line 1\n  line 2\n')
  expect(text).toContain('--only short-pages:2 -- ')
})
