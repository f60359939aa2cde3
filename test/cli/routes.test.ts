import { expect, it } from 'vitest'
import {
  expectRefusal,
  runInProcess,
  serveCommand,
  writeTemporaryFile,
} from '../support/command.ts'

it('lists the routes of an overlay', async () => {
  const file = writeTemporaryFile(
    'date: "2026-09-30"\nroutes:\n  GET /v1/tags: { path: /v1/labels }\n  GET /v1/gifs/trending: { absent: true }\n',
  )
  const { stdout } = await runInProcess('routes', '--overlay', file, '--no-guesses')
  expect(stdout).toMatch(
    /GET {4}\/v1\/labels .* observed: seen on 2026-09-30; replaces GET \/v1\/tags\n/,
  )
  expect(stdout).not.toContain('gifs/trending')
})

it('serves the routes of an overlay', async () => {
  const file = writeTemporaryFile(
    'routes:\n  GET /v1/wishes: { new: true, answers: { 200: [] } }\n',
  )
  const { url } = await serveCommand('--scenario', 'solo', '--overlay', file)
  expect((await fetch(`${url}/v1/wishes`)).status).toBe(401)
  expect(JSON.stringify(await (await fetch(`${url}/openapi.json`)).json())).toContain('/v1/wishes')
})

it('rejects an overlay that does not exist', () =>
  expectRefusal(['routes', '--overlay', 'missing.yaml'], 'missing.yaml'))
