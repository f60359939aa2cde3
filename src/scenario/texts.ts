import { escapeTemplate } from '../seed/template.ts'
import { runToEnd } from '../world/work.ts'
import type { Work } from '../world/work.ts'

/** Fields whose texts are templates, in accounts, records, and the steps and actions of a story. */
export const textFields = [
  'about',
  'campaignName',
  'city',
  'customName',
  'displayName',
  'fileName',
  'label',
  'message',
  'name',
  'note',
  'rawText',
  'text',
  'trialLinkName',
  'username',
] as const

type Row = Readonly<Record<string, unknown>>

/** The parts of a scenario that have texts. */
interface TextParts {
  organisations?: readonly { accounts: readonly object[] }[] | undefined
  records?: Readonly<Record<string, readonly object[] | undefined>> | undefined
  timeline?: readonly { do?: unknown }[] | undefined
}

/** A text with its place. */
export interface PlacedText {
  text: string
  /** Path in the scenario file. */
  path: readonly (string | number)[]
  /** Identifies the text. Does not change if rows with other ids are added. */
  key: readonly (string | number)[]
}

/** Options for `mapTexts`. */
export interface TextMapping {
  map: (placed: PlacedText) => string
  /** If true, a row with `count` becomes that many rows, with increasing ids. */
  isExpanding?: boolean
}

/** Replaces the texts with `{{` in the text fields of a scenario. */
export function* mapTexts<Parts extends TextParts>(
  parts: Parts,
  mapping: TextMapping,
): Work<Parts> {
  const { organisations, records, timeline } = parts
  const mapped: TextParts = {}
  if (organisations !== undefined) {
    const list: { accounts: readonly object[] }[] = []
    for (const [index, organisation] of organisations.entries()) {
      const path = ['organisations', index, 'accounts']
      list.push({ ...organisation, accounts: yield* mapRows(organisation.accounts, path, mapping) })
    }
    mapped.organisations = list
  }
  if (records !== undefined) {
    const tables: Record<string, readonly object[]> = {}
    for (const [table, rows = []] of Object.entries(records))
      tables[table] = yield* mapRows(rows, ['records', table], mapping)
    mapped.records = tables
  }
  if (timeline !== undefined) {
    const steps: { do?: unknown }[] = []
    for (const [index, step] of (yield* mapRows(timeline, ['timeline'], mapping)).entries()) {
      const { do: actions } = step
      const path = ['timeline', index, 'do']
      steps.push(
        Array.isArray(actions)
          ? { ...step, do: yield* mapRows(actions as Row[], path, mapping) }
          : step,
      )
    }
    mapped.timeline = steps
  }
  return { ...parts, ...mapped }
}

/** Escapes the texts of a scenario that contains no templates. */
export function escapeTexts<Parts extends TextParts>(parts: Parts): Parts {
  return runToEnd(escapingTexts(parts))
}

/** Like `escapeTexts`, in small units of work. */
export function escapingTexts<Parts extends TextParts>(parts: Parts): Work<Parts> {
  return mapTexts(parts, { map: ({ text }) => escapeTemplate(text) })
}

/** Returns the number of records that a scenario lists, with all copies. */
export function countRecords(records: NonNullable<TextParts['records']>): number {
  return Object.values(records)
    .flatMap((rows = []) => rows as readonly Row[])
    .reduce((sum, { count = 1 }) => sum + Number(count), 0)
}

function* mapRows<Each extends object>(
  rows: readonly Each[],
  path: readonly (string | number)[],
  { map, isExpanding = false }: TextMapping,
): Work<Each[]> {
  const mapped: Each[] = []
  for (const [index, row] of rows.entries()) {
    const { id, count = 1 } = row as Row
    const copies = isExpanding && path[0] === 'records' ? Number(count) : 1
    for (let copy = 0; copy < copies; copy += 1) {
      const own = isExpanding && 'count' in row ? toCopy(row as Row, copy) : (row as Row)
      const key = [...path, typeof id === 'number' || typeof id === 'string' ? id : index, copy]
      mapped.push(mapRow(own, { path: [...path, index], key, map }) as Each)
      yield
    }
  }
  return mapped
}

function toCopy(row: Row, copy: number): Row {
  const { count: _, ...fields } = row
  return typeof fields['id'] === 'number' ? { ...fields, id: fields['id'] + copy } : fields
}

function mapRow(
  row: Row,
  { path, key, map }: Omit<PlacedText, 'text'> & Pick<TextMapping, 'map'>,
): Row {
  const mapped: Record<string, string> = {}
  for (const field of textFields) {
    const text = row[field]
    if (typeof text === 'string' && text.includes('{{'))
      mapped[field] = map({ text, path: [...path, field], key: [...key, field] })
  }
  return { ...row, ...mapped }
}
