import { z } from 'zod'
import { estimateJsonSize } from '../../lib/plain-json.ts'
import { maxRecordCharacters } from '../../world/snapshot/snapshot.ts'
import { truncateForMessage } from '../../errors.ts'
import type { Control } from '../control.ts'
import { truncateChanges } from '../list-changes.ts'
import { ChangesQuery } from '../inputs.ts'
import { readRecordView, removeRecord } from '../edit-records.ts'
import { readTablePage } from '../table-page.ts'
import { maxSearchedRows, enforceRowLimit } from '../row-limit.ts'
import { createIntegerSchema, defineControlRoute, flag, text } from './route.ts'

const recordDescription = 'Fields of the record, as `GET /_sandbox/data/{table}` shows them.'
const recordFields = z
  .record(z.string().max(200), z.unknown())
  .refine((fields) => estimateJsonSize(fields, maxRecordCharacters) <= maxRecordCharacters, {
    error: `a record may have at most ${maxRecordCharacters} characters as JSON`,
  })
  .meta({ 'x-max-characters': maxRecordCharacters })
  .describe(recordDescription)

/** Control plane routes that read and change records. */
export const dataRoutes = [
  defineControlRoute({
    id: 'GET /data',
    summary: 'List the tables with their record counts',
    run: (control) => ({ tables: control.tables() }),
  }),
  defineControlRoute({
    id: 'GET /data/:table',
    summary: 'List raw records of a table, with optional field filters',
    query: z
      .object({
        limit: createIntegerSchema(0, 10_000)
          .default(100)
          .describe('Maximum number of records. Default: 100.'),
        offset: createIntegerSchema(0, 1e15)
          .default(0)
          .describe('Number of records to skip. Default: 0.'),
        contains: text.describe('Only records that contain this text in any field, ignoring case.'),
        typos: flag.describe(
          'true: `contains` selects records with words that begin like its words. One typo is ' +
            'forgiven in a word of four or more letters.',
        ),
        newest: createIntegerSchema(0, maxSearchedRows)
          .optional()
          .describe('Search only this many records, those with the largest ids.'),
        sort: text.describe('The field to sort by. Add `:desc` for descending order. Default: id.'),
        pictures: flag.describe(
          'true: include the URLs of their pictures, relative to `/_sandbox/`.',
        ),
        names: flag.describe('true: include the names of the records to which they refer.'),
      })
      .catchall(text.unwrap())
      .meta({ maxProperties: 1000 })
      .refine((query) => Object.keys(query).length <= 1000, {
        error: 'it must have at most 1000 filters',
      })
      .describe(
        'Any other parameter is the name of a field. It selects the records with this value.',
      ),
    run(
      control,
      {
        served,
        id,
        query: { limit, offset, contains, typos, newest, sort, pictures, names, ...filters },
      },
    ) {
      if (contains !== undefined && newest === undefined)
        enforceRowLimit(getTableSize(control, id), {
          max: maxSearchedRows,
          verb: `search ${truncateForMessage(id)}`,
          advice: 'Search only the newest (?newest=50000), or filter by a field, such as ?id=1.',
        })
      const shown = { limit, offset, contains, typos, newest, sort, pictures, names, filters }
      return served.slice(readTablePage(served.host.useCurrent('read the tables'), id, shown))
    },
  }),
  defineControlRoute({
    id: 'GET /data/:table/:id',
    summary: 'Read a record, the records that it refers to, and the records that refer to it',
    run: (_, { served, id, item }) =>
      served.slice(readRecordView(served.host.useCurrent('read the tables'), id, item)),
  }),
  defineControlRoute({
    id: 'POST /data/:table',
    summary:
      'Add a record, or an array of up to 1,000. The sandbox fills in missing fields with ' +
      'plausible values. With a `trait`, it also adds the records that belong to it',
    body: z.union([recordFields, z.array(recordFields).max(1000)]).describe(recordDescription),
    run: (control, { id, body }) =>
      Array.isArray(body) ? control.insertRecords(id, body) : control.insertRecord(id, body),
  }),
  defineControlRoute({
    id: 'PATCH /data/:table/:id',
    summary: 'Change fields of a record',
    body: recordFields,
    run: (control, { id, item, body }) => control.updateRecord(id, item, body),
  }),
  defineControlRoute({
    id: 'DELETE /data/:table/:id',
    summary: 'Remove a record that no other record refers to',
    async run(_, { served, id, item }) {
      await served.slice(removeRecord(served.host.useCurrent('remove a record'), id, item))
      return { removed: 1 }
    },
  }),
  defineControlRoute({
    id: 'POST /changes',
    summary: 'Set a checkpoint only for changes. Audit and cost still cover the earlier requests',
    run: (control) => ({ since: control.remember() }),
  }),
  defineControlRoute({
    id: 'GET /changes',
    summary:
      'List records that were added, changed or removed since the checkpoint, the loading ' +
      'of the data, the last request, a snapshot or a sandbox time. Each change includes the request or ' +
      'action that caused it. Lists at most 100 changes of each kind per table',
    query: ChangesQuery,
    run(control, { query }) {
      const changes = control.changes(query)
      return { ...changes, tables: changes.tables.map(truncateChanges) }
    },
  }),
]

function getTableSize(control: Control, table: string): number {
  const counts: Readonly<Record<string, number>> = control.tables()
  return Object.hasOwn(counts, table) ? (counts[table] ?? 0) : 0
}
