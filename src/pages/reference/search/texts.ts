import {
  listAllErrors,
  getResponses,
  getRequestBody,
  getContent,
  getParameters,
} from '../catalogue.ts'
import type { Catalogue } from '../catalogue.ts'
import { guides } from '../guides/guides.ts'
import type { Model } from '../models/models.ts'
import type { Place } from '../place.ts'
import { listFieldGroups } from '../describe-schema.ts'
import type { Entry, JsonSchema } from '../types.ts'

export interface SearchHit {
  kind: 'guide' | 'operation' | 'model'
  title: string
  /**
   * The guide or group to which the result belongs, or the matching field if only a field matched.
   */
  note: string
  place: Omit<Place, 'document'>
  /** The operation, if the result is an operation. */
  entry?: Entry | undefined
}

/** Searchable texts of an item, most important first. */
export interface SearchableItem {
  hit: SearchHit
  title: string
  /** Ids, paths and groups. */
  names: string
  text: string
  fields: string
  fieldNames: readonly string[]
}

/** Maximum depth at which fields are searched. */
const deepest = 6

/** Returns the searchable texts of the guides' sections. */
export function listGuideTexts(catalogue: Catalogue): SearchableItem[] {
  const errors = listAllErrors(catalogue).flatMap(([, list]) => list.map(([code]) => code))
  return guides.flatMap(({ id, title, sections }) =>
    sections.map((section) => ({
      hit: {
        kind: 'guide' as const,
        title: section.title,
        note: title,
        place: { section: 'guides' as const, item: `${id}/${section.id}` },
      },
      title: section.title,
      names: title,
      text: `${section.text} ${section.list === 'errors' ? errors.join(' ') : ''}`,
      fields: '',
      fieldNames: [],
    })),
  )
}

/** Returns the searchable texts of the document's operations. */
export function listOperationTexts(catalogue: Catalogue): SearchableItem[] {
  return catalogue.entries.map((entry) => {
    const { id, method, path, group, operation } = entry
    const fieldNames = [...listFieldNames(catalogue, entry)]
    const { summary, description } = operation
    const { 'x-source': source = '', 'x-kind': kind = '', 'x-errors': errors = [] } = operation
    return {
      hit: { kind: 'operation' as const, title: summary, note: group, place: { item: id }, entry },
      title: summary,
      names: `${id} ${method} ${path} ${group}`,
      text: `${description} ${source} ${kind} ${errors.join(' ')}`,
      fields: fieldNames.join(' '),
      fieldNames,
    }
  })
}

/** Returns the searchable texts of the models, with the operations that use them. */
export function listModelTexts(models: ReadonlyMap<string, Model>): SearchableItem[] {
  return [...models.values()].map(({ name, schema, fieldNames, inBody, inAnswer }) => {
    const users = [...inBody, ...inAnswer].map(({ operation }) => operation.summary)
    return {
      hit: {
        kind: 'model' as const,
        title: name,
        note: 'Model',
        place: { section: 'models' as const, item: name },
      },
      title: name,
      names: 'model',
      text: `${schema.description ?? ''} ${users.join(' ')}`,
      fields: fieldNames.join(' '),
      fieldNames,
    }
  })
}

function listFieldNames(catalogue: Catalogue, entry: Entry): Set<string> {
  const names = new Set(getParameters(catalogue, entry).map(({ name }) => name))
  const body = getRequestBody(entry)
  if (body !== undefined) collectFieldNames(body.schema, catalogue.resolve, names)
  for (const [status, answer] of getResponses(catalogue, entry))
    if (status.startsWith('2'))
      for (const { schema } of getContent(answer))
        collectFieldNames(schema, catalogue.resolve, names)
  return names
}

function collectFieldNames(
  schema: JsonSchema,
  resolve: Catalogue['resolve'],
  names: Set<string>,
  depth = 0,
): void {
  if (depth > deepest) return
  for (const { fields } of listFieldGroups(schema, resolve))
    for (const field of fields) {
      names.add(field.name)
      collectFieldNames(field.schema, resolve, names, depth + 1)
    }
}
