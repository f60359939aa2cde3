import { z } from 'zod'
import { Scenario } from '../src/scenario/schema.ts'
import { derivedTables, tableDefinitions } from '../src/resources/all-tables.ts'
import { createSandbox } from '../src/index.ts'
import { textFields } from '../src/scenario/texts.ts'
import { edges } from './edge-cases.ts'
import { everything } from './value-classes.ts'
import { findListLengths } from './list-lengths.ts'
import type { GeneratedFile } from './generate-media.ts'
import { describeType, listFields } from './json-schema.ts'
import type { Shape } from './json-schema.ts'
import { formatMarkdownTable } from './markdown.ts'

const introduction = `# Scenario files

A scenario is the initial data of a sandbox. A scenario with a timeline is a [story](stories.md#write-a-story). You write it as a YAML file, like those in [scenarios](../scenarios), or as an object: \`createSandbox({ scenario: './my.yaml' })\` or \`createSandbox({ scenario: { … } })\`. \`defineScenario({ … })\` types an object. [Write a scenario](making-records.md#write-a-scenario) shows a minimal scenario.

- \`npx creator-api-sandbox validate FILE\` prints each mistake with its line and column, and the allowed values.
- Editors offer completion if the file begins with \`# yaml-language-server: $schema=node_modules/creator-api-sandbox/scenarios/scenario.schema.json\`.
- \`extends: NAME\` copies all fields of another scenario. Fields in your file override the copied fields. An object can also use \`extends\`.
- **Bold** fields are required.
`

const timeline = `## The timeline

Each step of \`timeline\` has a time and at least one of these: a chapter, a caption, [actions](actions.md), a request. [Stories](stories.md#write-a-story) explains how to play the timeline.

- Missing fields of an action get values that depend on the seed. A story always ends with the same data, byte for byte, at any playback speed, even if you seek to the end.
- \`clock.advance\` in a step moves the clock of the world, and the story continues from there.
`

const requests = `### Requests

The field \`request\` sends a request with the key of a role. A [recording](how-to.md#record-a-session) has a step for each request that changed data. Recordings do not include clock changes. Instead, the step after a change has a later time.
`

const records = `## Records

\`records\` adds rows to tables. A row with the \`id\` of a generated row replaces it. Write only the fields that matter to you. The sandbox fills in realistic values for the other fields, as with [sandbox.make](making-records.md). \`at\` is the time of the row: RFC 3339, or relative to \`now\` (\`-2d\`).

- You cannot write rows of derived tables: ${derivedTables.map((name) => `\`${name}\``).join(', ')}.
- Every referenced record must exist, such as the account, the fan of a subscription or the last message of a chat. It can be generated or in \`records\`.
- The maximum id is 9,000,000,000,000,000.

\`\`\`yaml
extends: solo
name: one-more-tag
records:
  tags:
    - { name: Mine, at: -7d }
\`\`\`
`

const templates = `
## Templates

The texts of accounts, \`records\`, captions (\`note\`) and actions can contain helpers of [faker](https://fakerjs.dev/api/), such as \`{{person.fullName}}\` or \`{{helpers.arrayElement(["a", "b"])}}\`. They are filled in while the scenario is loaded, with values that depend on the seed and the record. Write \`\\{{\` for the characters \`{{\`. \`locale\` sets the language. \`count\` in a record creates that many records.

- These fields can have templates: ${textFields.map((field) => `\`${field}\``).join(', ')}.
- Arguments are JSON. A date becomes RFC 3339. A text may have at most 10,000 characters.
- A repeated step has the same text each time.
`

const everyEdge = `## Edge cases in agency

Real accounts contain unusual records that are often missing from test data. The default scenario contains all of the unusual records in this table. The second column shows an example with the default seed.
`

const everyValue = `
## Every value once

The scenario \`everything\` contains each kind of value that a client must handle once. Most of the values belong to the account 410000000. The account 410000001 has a lapsed session, and the account 410000002 has a negative balance.
`

const everyLength = `
## Lists of every length

The other accounts of \`everything\` have each of these lists with no row, one row, a full page, and one row more. \`boundaries\` has more lengths, and rows with equal times and ranks.
`

/**
 * Generates the scenario page, with all fields, all tables, and the ids in the scenario
 * `everything`.
 */
export async function generateScenarioPage(): Promise<GeneratedFile[]> {
  const file = z.toJSONSchema(Scenario, { io: 'input' }) as Shape
  const organisation = file.properties?.['organisations']?.items ?? {}
  const account = organisation.properties?.['accounts']?.items ?? {}
  const data = account.properties?.['data'] ?? {}
  const step = file.properties?.['timeline']?.items ?? {}
  const parts = [
    introduction,
    formatSection('## The file', file),
    formatSection('## An organisation', organisation),
    formatSection('## An account', account),
    formatSection('## Its data', data),
    formatSection('### A tracking link', data.properties?.['trackingLinks']?.items ?? {}),
    formatSection('### A trial link', data.properties?.['trialLinks']?.items ?? {}),
    formatSection('### A user list', data.properties?.['userLists']?.items ?? {}),
    timeline,
    formatFieldTable(step),
    requests,
    formatFieldTable(step.properties?.['request'] ?? {}),
    records,
    formatMarkdownTable(
      ['Table', 'Fields'],
      listStoredTableShapes().map(([name, shape]) => [`\`${name}\``, formatFieldTypes(shape)]),
    ),
    templates,
    everyEdge,
    formatMarkdownTable(['Case', 'Example'], await findEdges()),
    everyValue,
    formatMarkdownTable(
      ['Value', 'Table', 'Id', 'Fields'],
      everything.map(({ what, table: name, id, fields }) => [
        what,
        formatCode(name),
        formatCode(String(id)),
        fields.map(formatCode).join(', '),
      ]),
    ),
    everyLength,
    formatMarkdownTable(
      ['List', 'No row', 'One row', 'Full page', 'One row more'],
      (await findListLengths()).map(({ list, limit, paths }) => [
        `${formatCode(list.split('?')[0] ?? list)}, ${limit} on a page`,
        ...[0, 1, limit, limit + 1].map((rows) => formatCode(shortenPath(paths.get(rows) ?? ''))),
      ]),
    ),
  ]
  return [{ path: 'docs/scenarios.md', content: parts.join('\n') }]
}

/** Returns the edge cases of the default scenario, each with a route on which it occurs. */
async function findEdges(): Promise<string[][]> {
  const sandbox = createSandbox({ scenario: 'agency' })
  await sandbox.ready
  return edges.map(({ what, where, find }) => {
    const found = find(sandbox.db)
    if (found === undefined)
      throw new Error(
        `Failed to write docs/scenarios.md: agency has no record for this case: ${what}.`,
      )
    return [what, formatCode(where(found))]
  })
}

/** Removes the version and the query from a path. All paths of a list share both. */
function shortenPath(path: string): string {
  return path.replace('/v1', '').replace(/\?.*/, '')
}

function formatCode(text: string): string {
  return `\`${text}\``
}

function formatSection(title: string, shape: Shape): string {
  return `${title}\n\n${formatFieldTable(shape)}`
}

function formatFieldTable(shape: Shape): string {
  return formatMarkdownTable(
    ['Field', ''],
    listFields(shape).map(({ name, isRequired, text }) => [markRequired(name, isRequired), text]),
  )
}

function listStoredTableShapes(): [string, Shape][] {
  const stored = Object.entries(tableDefinitions).filter(
    ([name]) => !(derivedTables as readonly string[]).includes(name),
  )
  return stored.map(([name, { schema }]) => [
    name,
    z.toJSONSchema(schema as z.ZodType, { io: 'input' }) as Shape,
  ])
}

function formatFieldTypes({ properties = {} }: Shape): string {
  return Object.entries(properties)
    .map(([name, shape]) => `\`${name}\`: ${describeType(shape, true)}`)
    .join('<br>')
}

function markRequired(name: string, isRequired: boolean): string {
  return isRequired ? `**\`${name}\`**` : `\`${name}\``
}
