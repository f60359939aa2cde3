import { getOwnProperty } from '../lib/plain-json.ts'
import { getDefaultValue, convertToFormat, convertToType } from './convert.ts'
import type { Change, ChangeTree } from './format.ts'
import { listAddedFields } from './format.ts'

/** Provides the values of added fields. */
export interface ValueSource {
  /** Returns the words in the word list with the given name. */
  words: (list: string) => readonly string[]
}

/** Converts a sandbox value to the form that the service sends. */
export function toServiceValue(value: unknown, tree: ChangeTree, source: ValueSource): unknown {
  return applyChange(convertInside(value, tree, source), tree.change, { owner: {}, source })
}

/**
 * The context of an added value: the sandbox object that contains it, and the source of its words.
 */
interface ValueContext {
  owner: Readonly<Record<string, unknown>>
  source: ValueSource
}

function convertInside(value: unknown, tree: ChangeTree, source: ValueSource): unknown {
  const { inside, change } = tree
  // Creates a new value if the service has another type here, because its fields or entries then
  // differ too.
  if (change?.type !== undefined && inside.size > 0)
    return createAddedValue({ ...tree, change: { add: change.type } }, { owner: {}, source })
  if (inside.size === 0 || typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const each = inside.get('[*]')
    return each === undefined ? value : value.map((entry) => toServiceValue(entry, each, source))
  }
  const owner = value as Readonly<Record<string, unknown>>
  const sent: [string, unknown][] = []
  for (const [name, field] of Object.entries(owner)) {
    const below = inside.get(name) ?? inside.get('*')
    if (below?.change?.remove === true) continue
    const sentName = below?.change?.rename ?? name
    sent.push([
      sentName,
      below === undefined
        ? field
        : applyChange(convertInside(field, below, source), below.change, { owner, source }),
    ])
  }
  for (const [name, below] of listAddedFields(tree))
    sent.push([name, createAddedValue(below, { owner, source })])
  return Object.fromEntries(sent)
}

function applyChange(
  value: unknown,
  change: Change | undefined,
  surroundings: ValueContext,
): unknown {
  if (change === undefined || value === undefined) return value
  const given = change.value === undefined ? value : getFieldValue(change.value, surroundings)
  const inner =
    change.unwrap === undefined || given === null
      ? given
      : (getOwnProperty(given as Record<string, unknown>, change.unwrap) ?? null)
  const plain = inner === null ? replaceNull(change) : changeShape(inner, change)
  return change.wrap === undefined ? plain : { [change.wrap]: plain }
}

/** Returns a substitute for null, for services that never send null. */
function replaceNull({ nullable, type = 'string', format }: Change): unknown {
  return nullable === false ? getDefaultValue(type, format) : null
}

function changeShape(value: unknown, { type, format, enum: choices }: Change): unknown {
  const formed = format === undefined ? value : convertToFormat(value, format)
  const typed = type === undefined ? formed : convertToType(formed, type)
  return choices === undefined || choices.includes(typed as never) ? typed : choices[0]
}

/** Returns a value for a field that the sandbox does not have. */
function createAddedValue(tree: ChangeTree, surroundings: ValueContext): unknown {
  const { change, inside } = tree
  if (change?.value !== undefined) return getFieldValue(change.value, surroundings)
  if (change?.enum !== undefined) return change.enum[0]
  if (change?.add === 'object')
    return Object.fromEntries(
      [...inside]
        .filter(([name]) => name !== '*')
        .map(([name, below]) => [name, createAddedValue(below, surroundings)]),
    )
  const each = inside.get('[*]')
  if (change?.add === 'array' && each !== undefined) return [createAddedValue(each, surroundings)]
  return getDefaultValue(change?.add ?? 'null', change?.format)
}

function getFieldValue(
  value: NonNullable<Change['value']> | null,
  { owner, source }: ValueContext,
): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  if ('field' in value) return getOwnProperty(owner, value.field) ?? null
  const words = source.words(value.word)
  return words[hashOwner(owner) % words.length] ?? ''
}

/** Returns a number derived from an object's id, or from all its fields if it has no id. */
function hashOwner(owner: Readonly<Record<string, unknown>>): number {
  const text = JSON.stringify(owner['id'] ?? owner)
  let place = 0
  for (let index = 0; index < text.length; index += 1)
    place = (place * 31 + text.charCodeAt(index)) % 1_000_003
  return place
}
