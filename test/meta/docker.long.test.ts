import { execFileSync, spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { extractUrl } from '../support/command.ts'
import { readDockerfile } from '../support/dockerfile.ts'
import type { DockerStep } from '../support/dockerfile.ts'
import { waitForExit } from '../support/process.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

it(
  'builds and starts with the steps of the Dockerfile, each stage in an empty folder',
  // It installs packages from the registry, which is not always reliable.
  { timeout: 600_000, retry: 1 },
  async () => {
    const base = mkdtempSync(join(tmpdir(), 'dockerfile-'))
    onTestFinished(() => rm(base, { recursive: true, force: true }), 300_000)
    // This machine does not have the image's user and group.
    const bin = join(base, 'bin')
    mkdirSync(bin)
    // The last stage empties the cache of npm, which other tests use at the same time.
    const cache = join(base, 'npm-cache')
    writeFileSync(join(bin, 'chown'), '#!/bin/sh\n', { mode: 0o755 })
    const [build, final] = readDockerfile().map(
      (steps, index) =>
        new Stage(steps, {
          folder: join(base, `stage-${index}`),
          bin,
          ...(index === 0 ? {} : { cache }),
        }),
    )
    if (build === undefined || final === undefined)
      throw new Error('The Dockerfile must have two stages.')

    build.run({ context: root })
    final.run({ from: build.folder })
    const { entrypoint } = final
    expect(readdirSync(join(final.directory, 'node_modules/.bin'))).toContain('creator-api-sandbox')

    expect(() =>
      execFileSync('sh', ['-c', final.inside(entrypoint[2] ?? '')], {
        cwd: final.directory,
        env: { ...process.env, CONTROL_TOKEN: '' },
      }),
    ).toThrow('the environment variable is not set or empty')
    const [command = '', ...args] = [
      ...entrypoint.map((word) => final.inside(word)),
      '--port',
      '0',
      '--scenario',
      'solo',
    ]
    const server = spawn(command, args, {
      cwd: final.directory,
      env: { ...process.env, CONTROL_TOKEN: 'secret' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    onTestFinished(() => void server.kill('SIGKILL'))
    const end = waitForExit(server)
    const { port } = new URL(
      await Promise.race([
        readFirstAddress(server.stdout),
        end.then(({ code, stderr }) => {
          throw new Error(`The server ended with ${code}: ${stderr}`)
        }),
      ]),
    )
    const [check = '', ...checkArgs] = final.healthOn(port)
    execFileSync(check, checkArgs, { cwd: final.directory })

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
    expect((await end).code).toBe(0)
  },
)

/** A stage of the Dockerfile, with a folder as its file system. */
class Stage {
  readonly folder: string
  readonly #steps: readonly DockerStep[]
  readonly #path: string
  readonly #cache: string | undefined
  #directory = '/'

  constructor(
    steps: readonly DockerStep[],
    { folder, bin, cache }: { folder: string; bin: string; cache?: string },
  ) {
    this.#steps = steps
    this.folder = folder
    this.#cache = cache
    this.#path = `${bin}:${process.env['PATH']}`
    mkdirSync(folder, { recursive: true })
  }

  get directory(): string {
    return join(this.folder, this.#directory)
  }

  get entrypoint(): string[] {
    return JSON.parse(this.#textOf('ENTRYPOINT')) as string[]
  }

  /** Returns the health check command for a server on the given port. */
  healthOn(port: string): string[] {
    const [, command = '[]'] = / CMD (.*)$/.exec(this.#textOf('HEALTHCHECK')) ?? []
    return (JSON.parse(command) as string[]).map((word) => word.replace('4010', port))
  }

  /** Maps absolute paths in a command to the stage's folder. */
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
          // The image does not set NODE_ENV in this stage. Vitest does.
          env: {
            ...process.env,
            NODE_ENV: undefined,
            PATH: this.#path,
            ...(this.#cache === undefined ? {} : { npm_config_cache: this.#cache }),
          },
        })
    }
  }

  #textOf(keyword: string): string {
    return this.#steps.find((step) => step.keyword === keyword)?.text ?? ''
  }
}

/** Copies the build context: all files in the repository that are not ignored. */
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

/** Returns the URL that a server prints once it is ready. */
function readFirstAddress(output: Readable): Promise<string> {
  return new Promise((resolve) => {
    let text = ''
    output.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      if (/http:\/\/\S+\n/.test(text)) resolve(extractUrl(text))
    })
  })
}
