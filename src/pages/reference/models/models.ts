import type { Catalogue } from '../catalogue.ts'
import { listFieldGroups, getSourceLevel } from '../describe-schema.ts'
import type { Entry, JsonSchema, SourceLevel } from '../types.ts'

/** A named schema in a document. */
export interface Model {
  name: string
  schema: JsonSchema
  source: SourceLevel | undefined
  /** Names of the fields, without nested fields. */
  fieldNames: readonly string[]
  /** Operations that use the model in their request body. */
  inBody: readonly Entry[]
  /** Operations that use the model in a response. */
  inAnswer: readonly Entry[]
  /** Names of the models in which a field has this model as its type. */
  partOf: readonly string[]
}

/** Returns a document's models by name. */
export function listModels({ document, entries, resolve }: Catalogue): ReadonlyMap<string, Model> {
  const schemas = Object.entries(document.components.schemas ?? {})
  const direct = new Map(schemas.map(([name, schema]) => [name, listModelNames(schema)]))
  const inBody = findModelUses(entries, direct, ({ operation }) => operation.requestBody)
  const inAnswer = findModelUses(entries, direct, ({ operation }) => operation.responses)
  return new Map(
    schemas.map(([name, schema]) => [
      name,
      {
        name,
        schema,
        source: getSourceLevel(schema, undefined, resolve),
        fieldNames: listFieldGroups(schema, resolve).flatMap(({ fields }) =>
          fields.map((field) => field.name),
        ),
        inBody: inBody.get(name) ?? [],
        inAnswer: inAnswer.get(name) ?? [],
        partOf: [...direct].flatMap(([other, names]) => (names.has(name) ? [other] : [])),
      },
    ]),
  )
}

/** Returns the operations that use each model, directly or within another model. */
function findModelUses(
  entries: readonly Entry[],
  direct: ReadonlyMap<string, ReadonlySet<string>>,
  pick: (entry: Entry) => unknown,
): ReadonlyMap<string, readonly Entry[]> {
  const uses = new Map<string, Entry[]>()
  for (const entry of entries) {
    const found = new Set<string>()
    const follow = (names: ReadonlySet<string>) => {
      for (const name of names) {
        if (found.has(name)) continue
        found.add(name)
        follow(direct.get(name) ?? new Set())
      }
    }
    follow(listModelNames(pick(entry)))
    for (const name of found) uses.set(name, [...(uses.get(name) ?? []), entry])
  }
  return uses
}

/** Returns the names of the models to which a part of the document refers. */
function listModelNames(part: unknown): ReadonlySet<string> {
  const text = JSON.stringify(part) ?? ''
  const references = text.matchAll(/"#\/components\/schemas\/(\w+)"/g)
  return new Set([...references].map(([, name = '']) => name))
}
