import { existsSync, readFileSync, writeFileSync } from 'node:fs'
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
  expect(await run).toEqual({ exitCode: null, signal: 'SIGTERM', output: 'running\n' })
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
  expect(ended).toEqual({ exitCode: 3, signal: null, output: '' })
  expect(existsSync(stopped ?? '')).toBe(true)
})

it('stops a command that takes too long', async () => {
  const { signal } = new AbortController()
  const command = [process.execPath, '-e', 'setTimeout(() => {}, 1e6)']
  const ended = await runChild(command, { env: {}, timeoutMs: 1, signal })
  expect(ended).toEqual({ exitCode: null, signal: 'SIGTERM', output: '', isLate: true })
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
