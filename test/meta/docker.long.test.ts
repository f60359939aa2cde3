import { execFileSync, spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { readDockerfile } from '../support/dockerfile.ts'
import type { DockerStep } from '../support/dockerfile.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

it(
  'builds and starts by the steps of the Dockerfile, each stage in an empty folder',
  { timeout: 600_000 },
  async () => {
    const base = mkdtempSync(join(tmpdir(), 'dockerfile-'))
    onTestFinished(() => rm(base, { recursive: true, force: true }), 300_000)
    // There is neither a user nor a group of the image here.
    const bin = join(base, 'bin')
    mkdirSync(bin)
    writeFileSync(join(bin, 'chown'), '#!/bin/sh\n', { mode: 0o755 })
    const port = await freePort()
    const [build, final] = readDockerfile().map(
      (steps, index) => new Stage(steps, { folder: join(base, `stage-${index}`), bin, port }),
    )
    if (build === undefined || final === undefined)
      throw new Error('The Dockerfile must have two stages.')

    build.run({ context: root })
    final.run({ from: build.folder })
    const { entrypoint, health } = final

    expect(() =>
      execFileSync('sh', ['-c', final.inside(entrypoint[2] ?? '')], {
        cwd: final.directory,
        env: { ...process.env, CONTROL_TOKEN: '' },
      }),
    ).toThrow('CONTROL_TOKEN')
    const [command = '', ...args] = [
      ...entrypoint.map((word) => final.inside(word)),
      '--port',
      String(port),
      '--scenario',
      'solo',
    ]
    const server = spawn(command, args, {
      cwd: final.directory,
      env: { ...process.env, CONTROL_TOKEN: 'secret' },
      stdio: 'ignore',
    })
    const ended = new Promise<number | null>((resolve) => server.once('exit', resolve))
    onTestFinished(() => void server.kill('SIGKILL'))
    await expect
      .poll(() => succeeds(health, final.directory), { timeout: 60_000, interval: 500 })
      .toBe(true)

    const ask = (path: string, bearer: string) =>
      fetch(`http://127.0.0.1:${port}${path}`, { headers: { authorization: `Bearer ${bearer}` } })
    const keys = JSON.parse(readFileSync(join(final.folder, 'data/keys.json'), 'utf8')) as Record<
      string,
      string
    >
    expect([
      (await ask('/_sandbox/state', 'guess')).status,
      (await ask('/_sandbox/state', 'secret')).status,
    ]).toEqual([401, 200])
    expect((await ask('/v1/accounts', keys['owner'] ?? '')).status).toBe(200)
    server.kill('SIGTERM')
    expect(await ended).toBe(0)
  },
)

/** A stage of the Dockerfile, whose file system begins in a folder. */
class Stage {
  readonly folder: string
  readonly #steps: readonly DockerStep[]
  readonly #path: string
  readonly #port: number
  #directory = '/'

  constructor(
    steps: readonly DockerStep[],
    { folder, bin, port }: { folder: string; bin: string; port: number },
  ) {
    this.#steps = steps
    this.folder = folder
    this.#path = `${bin}:${process.env['PATH']}`
    this.#port = port
    mkdirSync(folder, { recursive: true })
  }

  /** The working directory. */
  get directory(): string {
    return join(this.folder, this.#directory)
  }

  get entrypoint(): string[] {
    return JSON.parse(this.#textOf('ENTRYPOINT')) as string[]
  }

  /** The command that tells whether the server is well. */
  get health(): string[] {
    const [, command = '[]'] = / CMD (.*)$/.exec(this.#textOf('HEALTHCHECK')) ?? []
    return (JSON.parse(command) as string[]).map((word) => word.replace('4010', String(this.#port)))
  }

  /** A command with the absolute paths of the image in the folder of the stage. */
  inside(command: string): string {
    return command.replace(/(?<=^|[\s"])\/(?=package|data|build|app)/g, `${this.folder}/`)
  }

  run({ context, from }: { context?: string; from?: string }): void {
    for (const { keyword, text } of this.#steps) {
      if (keyword === 'WORKDIR') {
        this.#directory = text
        mkdirSync(this.directory, { recursive: true })
      }
      if (keyword === 'COPY' && context !== undefined) copyContext(context, this.directory)
      if (keyword === 'COPY' && from !== undefined) {
        const [, source = '', target = ''] = text.split(' ')
        cpSync(join(from, source), join(this.folder, target), { recursive: true })
      }
      if (keyword === 'RUN')
        execFileSync('sh', ['-c', this.inside(text)], {
          cwd: this.directory,
          stdio: 'pipe',
          env: { ...process.env, PATH: this.#path },
        })
    }
  }

  #textOf(keyword: string): string {
    return this.#steps.find((step) => step.keyword === keyword)?.text ?? ''
  }
}

/** Copies what a build is told: the files of the repository but those that are ignored. */
function copyContext(context: string, target: string): void {
  const ignored = readFileSync(join(context, 'deploy/Dockerfile.dockerignore'), 'utf8')
    .trim()
    .split('\n')
  const files = execFileSync(
    'git',
    ['ls-files', '-z', '--cached', '--others', '--exclude-standard'],
    {
      cwd: context,
      encoding: 'utf8',
    },
  ).split('\0')
  for (const file of files) {
    if (file === '' || ignored.some((pattern) => file.startsWith(`${pattern}/`))) continue
    mkdirSync(dirname(join(target, file)), { recursive: true })
    cpSync(join(context, file), join(target, file))
  }
}

function succeeds([command = '', ...args]: readonly string[], cwd: string): boolean {
  try {
    execFileSync(command, args, { cwd, stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  return port
}
