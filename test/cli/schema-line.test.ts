import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { toSchemaComment } from '../../src/cli/schema-line.ts'

const overlaySchema = 'docs/overlay.schema.json'

function openFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'schema-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

it('writes a schema line with the path to the package of the project', () => {
  const project = openFolder()
  mkdirSync(join(project, 'node_modules/creator-api-sandbox/docs'), { recursive: true })
  mkdirSync(join(project, 'config/live'), { recursive: true })
  writeFileSync(join(project, 'node_modules/creator-api-sandbox', overlaySchema), '{}')

  const start = '# yaml-language-server: $schema='
  expect(toSchemaComment(join(project, 'observed.yaml'), overlaySchema)).toBe(
    `${start}node_modules/creator-api-sandbox/${overlaySchema}`,
  )
  expect(toSchemaComment(join(project, 'config/live/a.yaml'), overlaySchema)).toBe(
    `${start}../../node_modules/creator-api-sandbox/${overlaySchema}`,
  )
})

it.each([overlaySchema, 'scenarios/scenario.schema.json'] as const)(
  'links to %s of this package if no project has it',
  (schema) => {
    const folder = openFolder()
    const path = toSchemaComment(join(folder, 'a.yaml'), schema).replace(
      '# yaml-language-server: $schema=',
      '',
    )
    expect(existsSync(join(folder, path))).toBe(true)
  },
)
