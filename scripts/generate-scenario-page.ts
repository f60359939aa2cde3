import { z } from 'zod'
import { Scenario } from '../src/scenario/schema.ts'
import { derivedTables, tableDefinitions } from '../src/resources/all-tables.ts'
import { createSandbox } from '../src/index.ts'
import { edges } from './edges.ts'
import { everything } from './everything.ts'
import { findListLengths } from './list-lengths.ts'
import type { GeneratedFile } from './generate-media.ts'
import { fieldsOf } from './json-schema.ts'
import type { Shape } from './json-schema.ts'
import { toTable } from './markdown.ts'

const introduction = `# Scenario files

A scenario is the data that a sandbox starts with. A timeline makes it a [story](stories.md). It is a YAML file like those in [scenarios](../scenarios), or an object: \`createSandbox({ scenario: { … } })\`. [Write a scenario](how-to.md#write-a-scenario) shows a minimal one.

- \`npx creator-api-sandbox validate FILE\` names line, column, the mistake and what is allowed.
- Editors complete a file that begins with \`# yaml-language-server: $schema=node_modules/creator-api-sandbox/scenarios/scenario.schema.json\`.
- \`extends: NAME\` takes all fields of another scenario. Each field of the file replaces one of them. Only files can extend, not objects.
- **Bold** fields are required.
`

const timeline = `## The timeline

Each step of \`timeline\` has a time, and at least one thing that happens then: a chapter, a caption, [actions](actions.md), a request. [Stories](stories.md) explains how to play it.

- Fields that an action leaves out are drawn from the seed. A story ends in the same world, byte for byte, however it is played: at any speed, or by a seek.
- \`clock.advance\` in a step moves the time of the world, and the story goes on from there.
`

const requests = `### Requests

\`request\` of a step is a request with the key of a role. [Recordings](how-to.md#record-a-session) have one for each request that changed something. Moves of the clock during a recording are no steps: the next step has a later time instead.
`

const records = `## Records

\`records\` adds rows by table, or replaces the generated row with the same \`id\`. Give only the fields that matter. The others get believable values, as with [sandbox.make](making-records.md). \`at\` is the time of the row: RFC 3339, or relative to \`now\` (\`-2d\`).

- Derived tables cannot be given: ${derivedTables.map((name) => `\`${name}\``).join(', ')}.
- Every referenced record must exist, generated or given: the account, the fan of a subscription, the last message of a chat.
- Ids are at most 9,000,000,000,000,000.

\`\`\`yaml
extends: solo
name: one-more-tag
records:
  tags:
    - { name: Mine, at: -7d }
\`\`\`
`

const everyEdge = `## What a client meets in agency

Accounts of real people have cases that clean data lack. The default scenario has each of these where it comes naturally: with its own seed, for example here.
`

const everyValue = `
## Every value once

The scenario \`everything\` has each kind of value that a client must handle, once. All are on the account 410000000, except two: the session of 410000001 is lapsed, and the balance of 410000002 is negative.
`

const everyLength = `
## Lists of every length

The other accounts of \`everything\` have these lists with no row, one row, a page of rows, and one more. \`boundaries\` has more lengths, and rows of equal times and ranks.
`

/** Writes the page of scenario files: every field, the tables, the ids of `everything`. */
export async function generateScenarioPage(): Promise<GeneratedFile[]> {
  const file = z.toJSONSchema(Scenario, { io: 'input' }) as Shape
  const organisation = file.properties?.['organisations']?.items ?? {}
  const account = organisation.properties?.['accounts']?.items ?? {}
  const data = account.properties?.['data'] ?? {}
  const step = file.properties?.['timeline']?.items ?? {}
  const parts = [
    introduction,
    section('## The file', file),
    section('## An organisation', organisation),
    section('## An account', account),
    section('## Its data', data),
    section('### A tracking link', data.properties?.['trackingLinks']?.items ?? {}),
    section('### A trial link', data.properties?.['trialLinks']?.items ?? {}),
    section('### A user list', data.properties?.['userLists']?.items ?? {}),
    timeline,
    table(step),
    requests,
    table(step.properties?.['request'] ?? {}),
    records,
    toTable(
      ['Table', 'Fields'],
      storedTables().map(([name, shape]) => [`\`${name}\``, fieldNames(shape)]),
    ),
    everyEdge,
    toTable(['What', 'Where'], await findEdges()),
    everyValue,
    toTable(
      ['Value', 'Table', 'Id', 'Fields'],
      everything.map(({ what, table: name, id, fields }) => [
        what,
        code(name),
        code(String(id)),
        fields.map(code).join(', '),
      ]),
    ),
    everyLength,
    toTable(
      ['List', 'No row', 'One row', 'A page', 'One more'],
      (await findListLengths()).map(({ list, limit, paths }) => [
        `${code(list.split('?')[0] ?? list)}, ${limit} on a page`,
        ...[0, 1, limit, limit + 1].map((rows) => code(shortPath(paths.get(rows) ?? ''))),
      ]),
    ),
  ]
  return [{ path: 'docs/scenarios.md', content: parts.join('\n') }]
}

/** Each edge case of the default scenario, and one route that shows it. */
async function findEdges(): Promise<string[][]> {
  const sandbox = createSandbox({ scenario: 'agency' })
  await sandbox.ready
  return edges.map(({ what, where, find }) => {
    const found = find(sandbox.db)
    if (found === undefined)
      throw new Error(
        `Failed to write docs/scenarios.md: agency has no record for this case: ${what}.`,
      )
    return [what, code(where(found))]
  })
}

/** Returns a path without version and query, which all paths of a list share. */
function shortPath(path: string): string {
  return path.replace('/v1', '').replace(/\?.*/, '')
}

function code(text: string): string {
  return `\`${text}\``
}

function section(title: string, shape: Shape): string {
  return `${title}\n\n${table(shape)}`
}

function table(shape: Shape): string {
  return toTable(
    ['Field', ''],
    fieldsOf(shape).map(({ name, isRequired, text }) => [mark(name, isRequired), text]),
  )
}

function storedTables(): [string, Shape][] {
  const stored = Object.entries(tableDefinitions).filter(
    ([name]) => !(derivedTables as readonly string[]).includes(name),
  )
  return stored.map(([name, { schema }]) => [
    name,
    z.toJSONSchema(schema as z.ZodType, { io: 'input' }) as Shape,
  ])
}

function fieldNames({ properties = {} }: Shape): string {
  return Object.keys(properties)
    .map((name) => `\`${name}\``)
    .join(', ')
}

function mark(name: string, isRequired: boolean): string {
  return isRequired ? `**\`${name}\`**` : `\`${name}\``
}
