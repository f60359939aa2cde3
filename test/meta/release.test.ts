import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { parse } from 'yaml'

const root = new URL('../../', import.meta.url)
const read = (file: string) => readFileSync(new URL(file, root), 'utf8')
const { on, permissions, jobs } = parse(read('.github/workflows/release.yml')) as {
  on: object
  permissions: object
  jobs: Record<
    'check' | 'publish',
    {
      needs?: string
      environment?: string
      permissions?: object
      steps: { uses?: string; run?: string }[]
    }
  >
}
const runs = (job: 'check' | 'publish') => jobs[job].steps.flatMap(({ run }) => run ?? [])

it('releases by a tag or manually, after all checks have passed, with provenance', () => {
  expect(Object.keys(on)).toEqual(['push', 'workflow_dispatch'])
  expect(runs('check')).toEqual(['.ci/run'])
  expect(existsSync(new URL('.ci/run', root))).toBe(true)
  expect(jobs.publish).toMatchObject({
    needs: 'check',
    environment: 'npm',
    permissions: { 'id-token': 'write' },
  })
  expect(permissions).toEqual({ contents: 'read' })
  expect(runs('publish').at(-1)).toContain('npm publish --provenance')
})

it('runs actions at a fixed commit, because a tag can be moved', () => {
  const uses = Object.values(jobs).flatMap(({ steps }) => steps.flatMap((step) => step.uses ?? []))
  expect(uses).toHaveLength(4)
  for (const action of uses) expect(action).toMatch(/^actions\/[\w-]+@[\da-f]{40}$/)
})

it('builds what it publishes', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }

  expect(scripts['prepack']).toBe('npm run build')
})
