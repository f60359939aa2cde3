import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { toSchemaComment } from '../../src/cli/schema-line.ts'
import { createTemporaryFolder } from '../support/command.ts'

const overlaySchema = 'docs/overlay.schema.json'

it('writes a schema line with the path to the package of the project', () => {
  const project = createTemporaryFolder()
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
    const folder = createTemporaryFolder()
    const path = toSchemaComment(join(folder, 'a.yaml'), schema).replace(
      '# yaml-language-server: $schema=',
      '',
    )
    expect(existsSync(join(folder, path))).toBe(true)
  },
)
