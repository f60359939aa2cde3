import { z } from 'zod'
import { Scenario } from '../src/scenario/schema.ts'
import { derivedTables, tableDefinitions } from '../src/resources/all-tables.ts'
import { createSandbox } from '../src/index.ts'
import { textFields } from '../src/scenario/texts.ts'
import { edges } from './edge-cases.ts'
import { everything } from './value-classes.ts'
import { findListLengths } from './list-lengths.ts'
import type { GeneratedFile } from './generated-file.ts'
import { describeType, listFields } from './json-schema.ts'
import type { Shape } from './json-schema.ts'
import { formatMarkdownTable, updatePage } from './markdown.ts'

/**
 * Generates the tables of the scenario page: all fields, all tables, and the ids in the scenario
 * `everything`.
 */
export async function generateScenarioPage(): Promise<GeneratedFile[]> {
  const file = z.toJSONSchema(Scenario, { io: 'input' }) as Shape
  const organisation = file.properties?.['organisations']?.items ?? {}
  const account = organisation.properties?.['accounts']?.items ?? {}
  const data = account.properties?.['data'] ?? {}
  const step = file.properties?.['timeline']?.items ?? {}
  const page = updatePage('docs/scenarios.md', {
    '## The file': formatFieldTable(file),
    '## An organisation': formatFieldTable(organisation),
    '## An account': formatFieldTable(account),
    '## Its data': formatFieldTable(data),
    '### A tracking link': formatFieldTable(data.properties?.['trackingLinks']?.items),
    '### A trial link': formatFieldTable(data.properties?.['trialLinks']?.items),
    '### A user list': formatFieldTable(data.properties?.['userLists']?.items),
    '## The timeline': formatFieldTable(step),
    '### Requests': formatFieldTable(step.properties?.['request']),
    '## Records': formatMarkdownTable(
      ['Table', 'Fields'],
      listStoredTableShapes().map(([name, shape]) => [`\`${name}\``, formatFieldTypes(shape)]),
    ),
    '## Edge cases in agency': formatMarkdownTable(['Case', 'Example'], await findEdges()),
    '## Every value once': formatMarkdownTable(
      ['Value', 'Table', 'Id', 'Fields'],
      everything.map(({ what, table: name, id, fields }) => [
        what,
        formatCode(name),
        formatCode(String(id)),
        listCodes(fields),
      ]),
    ),
    '## Lists of every length': formatMarkdownTable(
      ['List', 'No row', 'One row', 'Full page', 'One row more'],
      (await findListLengths()).map(({ list, limit, paths }) => [
        `${formatCode(list.split('?')[0] ?? list)}, ${limit} on a page`,
        ...[0, 1, limit, limit + 1].map((rows) => formatCode(shortenPath(paths.get(rows) ?? ''))),
      ]),
    ),
  })
  const content = page.content
    .replace(
      /(?<=^- You cannot write rows of derived tables: ).*$/m,
      `${listCodes(derivedTables)}.`,
    )
    .replace(/(?<=^- These fields can have templates: ).*$/m, `${listCodes(textFields)}.`)
  return [{ ...page, content }]
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

function listCodes(names: readonly string[]): string {
  return names.map(formatCode).join(', ')
}

function formatCode(text: string): string {
  return `\`${text}\``
}

function formatFieldTable(shape: Shape = {}): string {
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
