import { readFileSync } from 'node:fs'
import { validate } from 'dockerfile-utils'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { serveFlags } from '../../src/cli/flags.ts'
import { readDockerfile } from '../support/dockerfile.ts'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const flags = Object.values(serveFlags).map(({ usage }) => usage.split(' ', 1)[0])

/** Returns the flags among a command's arguments. */
const flagsIn = (words: readonly string[]) => words.filter((word) => word.startsWith('--'))

it('has a Dockerfile without lint errors', () => {
  expect(
    validate(read('deploy/Dockerfile')).map(
      ({ message, range }) => `line ${range.start.line + 1}: ${message}`,
    ),
  ).toEqual([])
})

it('runs as an unprivileged user, from a small image, with a health check and a token', () => {
  const stages = readDockerfile()
  const last = stages.at(-1) ?? []
  const first = (keyword: string) => last.find((step) => step.keyword === keyword)?.text ?? ''
  expect(stages.map(([from]) => from?.text)).toEqual(['node:24-alpine AS build', 'node:24-alpine'])
  expect([first('USER'), first('HEALTHCHECK')]).toEqual([
    'node',
    expect.stringContaining('/health'),
  ])
  const [, , command = ''] = JSON.parse(first('ENTRYPOINT')) as string[]
  expect(command).toMatch(/--host 0\.0\.0\.0 --control-token-env CONTROL_TOKEN /)
  expect(flagsIn(command.split(' ')).filter((flag) => !flags.includes(flag))).toEqual([])
})

interface Compose {
  services: Record<
    string,
    {
      build?: object
      image: string
      command: string[]
      volumes: string[]
      restart?: string
      healthcheck?: object
      stop_grace_period?: string
    }
  >
  volumes: object
}

it('starts one server with flags that exist', () => {
  const { services, volumes } = parse(read('deploy/compose.single.yaml')) as Compose
  expect(services['sandbox']).toMatchObject({
    build: { context: '..', dockerfile: 'deploy/Dockerfile' },
    read_only: true,
    cap_drop: ['ALL'],
  })
  expect(services['sandbox']?.volumes.map((volume) => volume.split(':')[0])).toEqual(
    Object.keys(volumes),
  )
  expect(
    flagsIn(services['sandbox']?.command ?? []).filter((flag) => !flags.includes(flag)),
  ).toEqual([])
})

it('starts replicas that only differ in their name, behind a load balancer that lists each of them', () => {
  const { services, volumes } = parse(read('deploy/compose.yaml'), { merge: true }) as Compose
  const { sandbox, valkey, ...replicas } = services
  const names = Object.keys(replicas)
  expect(names).toEqual(['replica-1', 'replica-2', 'replica-3'])
  expect(sandbox).toMatchObject({
    depends_on: names,
    ports: ['127.0.0.1:4010:4010'],
    read_only: true,
    cap_drop: ['ALL'],
  })
  expect(sandbox?.volumes).toEqual(['./haproxy.cfg:/usr/local/etc/haproxy/haproxy.cfg:ro'])
  expect(valkey?.command.join(' ')).toContain('--appendonly yes')
  expect(valkey?.volumes).toEqual(['worlds:/data'])
  expect(Object.keys(volumes)).toEqual(['data', 'worlds'])
  for (const service of [sandbox, valkey])
    expect(service?.healthcheck).toMatchObject({ interval: '5s' })
  const servers = [
    ...read('deploy/haproxy.cfg').matchAll(/^ {2}server (\S+) (\S+) id (\d+)$/gm),
  ].map(([, ...parts]) => parts)
  expect(servers).toEqual(names.map((name, index) => [name, `${name}:4010`, String(index + 1)]))
  for (const [name, replica] of Object.entries(replicas)) {
    expect(replica).toMatchObject({
      build: { context: '..', dockerfile: 'deploy/Dockerfile' },
      read_only: true,
      restart: 'unless-stopped',
    })
    expect(replica.volumes).toEqual(['data:/data'])
    expect(flagsIn(replica.command).filter((flag) => !flags.includes(flag))).toEqual([])
    expect(replica.command.map((word) => word.replace(name, 'replica-1'))).toEqual(
      services['replica-1']?.command,
    )
    expect(replica.command).toContain('redis://valkey:6379')
    expect(replica.stop_grace_period).toBe('30s')
  }
})

it('shows valid YAML workflows, with flags that exist', () => {
  const workflows = [...read('docs/server.md').matchAll(/```yaml\n([^]*?)```/g)].map(
    ([, text = '']) => text,
  )
  expect(workflows.map((text) => Object.keys(parse(text) as object))).toEqual([
    ['on', 'jobs'],
    ['test'],
  ])
  const words = workflows.join(' ').split(/[\s,[\]]+/)
  const shown = flagsIn(words).filter((flag) => flag !== '--fail' && flag !== '--silent')
  expect(shown.length).toBeGreaterThan(3)
  expect(shown.filter((flag) => !flags.includes(flag))).toEqual([])
})
