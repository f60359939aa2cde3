import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { findFreePort } from '../support/balancer.ts'
import { extractUrl } from '../support/command.ts'
import { waitForExit, runProcess, startProcess } from '../support/process.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const flags = ['--port', '0', '--scenario', 'solo', '--quiet']
const command = `node --import tsx src/cli/bin.ts ${flags.join(' ')}`

/** Returns the URL that a server prints. */
async function getAddress(child: ChildProcess): Promise<string> {
  let printed = ''
  for await (const chunk of child.stdout ?? []) {
    printed += String(chunk)
    if (extractUrl(printed) !== '') break
  }
  return extractUrl(printed)
}

const isServing = async (url: string) => {
  try {
    return (await fetch(`${url}/health`)).ok
  } catch {
    return false
  }
}

it('stops when its stdin is closed, with --exit-with-parent', async () => {
  const child = startProcess([...flags, '--exit-with-parent'], { stdin: 'pipe' })
  onTestFinished(() => void child.kill('SIGKILL'))
  const end = waitForExit(child)
  await once(child.stdout as NodeJS.ReadableStream, 'data')
  child.stdin?.end()
  expect(await end).toMatchObject({ code: 0, stderr: '' })
})

it('rejects --exit-with-parent if stdin is not a pipe', async () => {
  const { code, stderr } = await runProcess(...flags, '--exit-with-parent')
  expect([code, stderr]).toEqual([2, expect.stringContaining('stdin is not a pipe')])
})

it.runIf(process.platform === 'linux').each([
  ['npm start', 'SIGTERM', ['start', '--silent', '--', ...flags]],
  ['npx', 'SIGTERM', ['exec', '--offline', '--call', command]],
  ['npx', 'SIGKILL', ['exec', '--offline', '--call', command]],
] as const)('ends when %s gets %s', async (_name, signal, args) => {
  const npm = spawn('npm', args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] })
  const url = await getAddress(npm)
  expect(await isServing(url)).toBe(true)
  npm.kill(signal)
  await expect.poll(() => isServing(url)).toBe(false)
})

it.runIf(process.platform === 'linux')('ends when npx ends while the server starts', async () => {
  const port = await findFreePort()
  const slow = command.replace('solo', 'agency').replace('--port 0', `--port ${port}`)
  const npm = spawn('npm', ['exec', '--offline', '--call', slow], { cwd: root, stdio: 'ignore' })
  const url = `http://127.0.0.1:${port}`
  await expect.poll(() => isServing(url), { interval: 10 }).toBe(true)
  npm.kill()
  await expect.poll(() => isServing(url)).toBe(false)
})
