import { z } from 'zod'
import { Scenario } from '../src/scenario/schema.ts'
import { derivedTables, tableDefinitions } from '../src/resources/all-tables.ts'
import { everything } from './everything.ts'
import { findListLengths } from './list-lengths.ts'
import type { GeneratedFile } from './generate-media.ts'
import { fieldsOf } from './json-schema.ts'
import type { Shape } from './json-schema.ts'
import { toTable } from './markdown.ts'

const introduction = `# Scenario files

A scenario is the world that a sandbox starts with, and what happens in it. It is a YAML file like those in [scenarios](../scenarios), or the same as an
object: \`createSandbox({ scenario: { … } })\`. An editor completes it by its schema when the file begins with
\`# yaml-language-server: $schema=node_modules/creator-api-sandbox/scenarios/scenario.schema.json\`.
\`creator-api-sandbox validate FILE\` names line, column, what is wrong and what is allowed.

In a file, \`extends: NAME\` begins with another scenario; each field that the file has takes the place of that one's. Fields in **bold** have to be given.
`

const timeline = `## The timeline

Each step of \`timeline\` has a time, and something that happens then: a chapter, a caption, [actions](control.md#actions), a request. A place, where one is asked
for (\`--from\`, \`until\`, \`seek\`), is a chapter, \`2m\` from the start, \`+30s\` or \`-30s\` from here, or an instant. \`clock.advance\` in a timeline leaps the
world's time while the story goes on. What an action leaves out is drawn from the seed: played twice, at another speed, or sought straight to a place, a story
ends in the same world, byte for byte. What a client writes meanwhile is kept as time goes on; a seek back says that it drops it.
`

const requests = `### Requests

A step's \`request\` is what a client sent, with the key of a role. Recordings (\`creator-api-sandbox record\`) have them: each request that changed something,
beside the actions. Uploaded bytes are not recorded, and the end of the recording says so. When you move the clock while it records, no step is written for
that: the steps that follow have later times, so a replay waits that long, or is played at a higher speed.
`

const records = `## Records

\`records\` puts in rows by hand, by table: in addition to the generated ones, or in the place of the one with the same \`id\`. A row needs only the
fields that matter: the others get believable values, as with [sandbox.make](making-records.md), and \`at\` says when it came to be (RFC 3339, or relative
to \`now\`: \`-2d\`). Tables that follow from others
(${derivedTables.map((name) => `\`${name}\``).join(', ')}) are built from those and cannot be given.
What a row names has to be there, generated or by hand: its account, the fan of a subscription, the last message of a chat. Ids are at most 9,000,000,000,000,000.

\`\`\`yaml
extends: solo
name: one-more-tag
records:
  tags:
    - { name: Mine, at: -7d }
\`\`\`
`

const everyValue = `## Every value once

The scenario \`everything\` has each kind of value that a client must survive, once. The account 410000000 has all of them but its neighbours': the session of
410000001 is lapsed from the start, and the balance of 410000002 is below zero.
`

const everyLength = `
## Lists of every length

The other accounts of \`everything\` have each of these lists with no row, one row, as many rows as a page has by default, and one more.
\`boundaries\` has more lengths, and rows of equal times and ranks.
`

/** Writes the page of what a scenario file may say. */
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
    everyValue,
    toTable(
      ['What', 'Table', 'Id', 'Fields'],
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

/** A path without the version and the query, which all of a list have in common. */
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
    ['Field', 'What it is'],
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
