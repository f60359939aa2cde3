import type { ValueFormat, ValueType } from '../overlay/format.ts'

/** Structure of the values at one path, without the values themselves. */
export interface Shape {
  /** Number of observed values. */
  count: number
  types: Set<ValueType>
  /** Formats of strings and integers. `other` is neither a time nor an amount. */
  forms: Set<ValueFormat | 'other'>
  /** Number of values that are objects. */
  objects: number
  /** Fields of the objects. Their names may be values of the service, such as the ids in a map. */
  fields: Map<string, Shape>
  /** Structure of list entries. */
  entries: Shape | undefined
  /**
   * For lists of objects with times: the fields by which all observed lists with at least three
   * entries were sorted newest first.
   */
  newestFirst: Set<string> | undefined
  /** Observed short words. Stored only if the option is set, up to a maximum number. */
  words: Set<string> | undefined
}

/** Options for `addToShape`. */
export interface ShapeOptions {
  /** True to store short words, which may be enumeration values. */
  keepsWords?: boolean
  /**
   * Called with each string and number, to distinguish names from values. It must keep them only in
   * memory.
   */
  onValue?: (value: string) => void
}

const deepest = 30
const maxEntries = 500
const maxFields = 300
const maxWords = 12
const wordForm = /^[a-z][a-z_]{0,23}$/i
const nameForm = /^[A-Za-z_][\w-]{0,63}$/

/** Creates an empty shape. */
export function createEmptyShape(): Shape {
  return {
    count: 0,
    types: new Set(),
    forms: new Set(),
    objects: 0,
    fields: new Map(),
    entries: undefined,
    newestFirst: undefined,
    words: undefined,
  }
}

/** Adds a value to a shape. */
export function addToShape(
  shape: Shape,
  value: unknown,
  look: ShapeOptions = {},
  depth = 0,
): Shape {
  shape.count += 1
  if (depth > deepest) return shape
  if (value === null) shape.types.add('null')
  else if (Array.isArray(value)) addList(shape, value, look, depth)
  else if (typeof value === 'object')
    addObject(shape, value as Readonly<Record<string, unknown>>, look, depth)
  else addScalar(shape, value, look)
  return shape
}

function addList(shape: Shape, value: readonly unknown[], look: ShapeOptions, depth: number): void {
  shape.types.add('array')
  shape.entries ??= createEmptyShape()
  for (const entry of value.slice(0, maxEntries)) addToShape(shape.entries, entry, look, depth + 1)
  if (value.length < 3) return
  const sorted = findNewestFirstFields(value)
  shape.newestFirst = new Set(
    shape.newestFirst === undefined
      ? sorted
      : sorted.filter((name) => shape.newestFirst?.has(name)),
  )
}

function addObject(
  shape: Shape,
  value: Readonly<Record<string, unknown>>,
  look: ShapeOptions,
  depth: number,
): void {
  shape.types.add('object')
  shape.objects += 1
  for (const [key, field] of Object.entries(value).slice(0, maxFields)) {
    if (!nameForm.test(key)) look.onValue?.(key)
    const inner = shape.fields.get(key) ?? createEmptyShape()
    if (shape.fields.size >= maxFields && !shape.fields.has(key)) continue
    shape.fields.set(key, inner)
    addToShape(inner, field, look, depth + 1)
  }
}

function addScalar(shape: Shape, value: unknown, { keepsWords, onValue }: ShapeOptions): void {
  if (typeof value === 'boolean') shape.types.add('boolean')
  else onValue?.(String(value))
  if (typeof value === 'number') shape.types.add(Number.isInteger(value) ? 'integer' : 'number')
  if (typeof value === 'string') shape.types.add('string')
  if (typeof value === 'number' || typeof value === 'string') shape.forms.add(detectFormat(value))
  if (keepsWords !== true || typeof value !== 'string' || !wordForm.test(value)) return
  shape.words ??= new Set()
  if (shape.words.size <= maxWords) shape.words.add(value)
}

/** Returns the fields of a shape. Fields whose names look like values are merged under `*`. */
export function mergeDynamicFields(
  { fields }: Shape,
  known: ReadonlySet<string> = new Set(),
): Map<string, Shape> {
  const isPlain = (name: string) => known.has(name) || nameForm.test(name)
  const others = [...fields].flatMap(([name, field]) => (isPlain(name) ? [] : [field]))
  const plain = [...fields].filter(([name]) => isPlain(name))
  return new Map(others.length === 0 ? plain : [...plain, ['*', mergeShapes(others)]])
}

/** Merges shapes. */
export function mergeShapes(shapes: readonly Shape[]): Shape {
  const names = new Set(shapes.flatMap(({ fields }) => [...fields.keys()]))
  const entries = shapes.flatMap((shape) => shape.entries ?? [])
  return {
    count: shapes.reduce((sum, { count }) => sum + count, 0),
    types: new Set(shapes.flatMap(({ types }) => [...types])),
    forms: new Set(shapes.flatMap(({ forms }) => [...forms])),
    objects: shapes.reduce((sum, { objects }) => sum + objects, 0),
    fields: new Map(
      [...names].map((name) => [
        name,
        mergeShapes(shapes.flatMap(({ fields }) => fields.get(name) ?? [])),
      ]),
    ),
    entries: entries.length === 0 ? undefined : mergeShapes(entries),
    newestFirst: undefined,
    words: undefined,
  }
}

/** Returns the observed words, or undefined if there are none or too many for an enumeration. */
export function listObservedWords({ words }: Shape): readonly string[] | undefined {
  return words === undefined || words.size > maxWords ? undefined : [...words].toSorted()
}

const textForms: readonly (readonly [ValueFormat, RegExp])[] = [
  ['iso', /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/],
  ['iso-ms', /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{1,9}Z$/],
  ['iso-offset', /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}[+-]\d{2}:\d{2}$/],
  ['date-time', /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/],
  ['date', /^\d{4}-\d{2}-\d{2}$/],
  ['epoch-text', /^1\d{9}$/],
  ['dollars-text', /^-?\d+\.\d{2}$/],
]

/**
 * Returns the format of a string or number. Integers that could be a time in this century, in
 * seconds or milliseconds, count as times.
 */
export function detectFormat(value: string | number): ValueFormat | 'other' {
  if (typeof value === 'string')
    return textForms.find(([, pattern]) => pattern.test(value))?.[0] ?? 'other'
  if (!Number.isInteger(value)) return 'other'
  if (value >= 1_000_000_000 && value < 5_000_000_000) return 'epoch-seconds'
  return value >= 1_000_000_000_000 && value < 5_000_000_000_000 ? 'epoch-ms' : 'other'
}

function findNewestFirstFields(rows: readonly unknown[]): string[] {
  const objects = rows.filter(
    (row): row is Readonly<Record<string, unknown>> => typeof row === 'object' && row !== null,
  )
  const [first = {}] = objects
  return Object.keys(first)
    .filter((name) => nameForm.test(name))
    .filter((name) => {
      const times = objects.map((row) => parseRowTime(row[name]))
      return times.every(
        (time, index) => time !== undefined && (index === 0 || time <= (times[index - 1] ?? time)),
      )
    })
}

function parseRowTime(value: unknown): number | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  const form = detectFormat(value)
  if (form === 'other' || form === 'dollars-text') return undefined
  const atMs = form.startsWith('epoch') ? Number(value) : Date.parse(String(value))
  return Number.isNaN(atMs) ? undefined : atMs
}
