import type { z } from 'zod'
import type { Change, ValueFormat, ValueType } from '../overlay/format.ts'
import { describeExpectedType } from './expected-type.ts'
import type { Expected } from './expected-type.ts'
import { mergeShapes, mergeDynamicFields, listObservedWords } from './shape.ts'
import type { Shape } from './shape.ts'

/** A difference between the service and the sandbox. */
export interface Finding {
  /** JSON path of the difference, or undefined if it concerns the whole response. */
  path?: string
  /** The difference, worded as the end of a sentence. Contains only names and types. */
  text: string
  /**
   * Affected part of the route.
   * @default 'answer'
   */
  part?: 'query' | 'body'
  /** Status of a successful response, if it differs from the sandbox's status. */
  status?: number
  /** Overlay changes by JSON path. Absent if an overlay cannot express the difference. */
  changes?: Readonly<Record<string, Change>>
  /** Names in the service's response that the sandbox does not have. */
  names: readonly string[]
}

/** The differences found, and the documented paths that did not occur in any response. */
export interface Comparison {
  findings: Finding[]
  notSeen: string[]
}

/** Cache of parsed schemas, because many routes share schemas and parsing is slow. */
export type ExpectedCache = Map<z.ZodType, Expected>

/** Compares an observed structure with a schema. */
export function compareShapeWithSchema(
  schema: z.ZodType,
  shape: Shape,
  readings: ExpectedCache = new Map(),
): Comparison {
  const comparer = new ShapeComparer(readings)
  comparer.comparePlace(schema, shape, '$')
  return { findings: comparer.findings, notSeen: comparer.notSeen }
}

/** Collects the differences between an observed structure and a schema. */
class ShapeComparer implements Comparison {
  readonly findings: Finding[] = []
  readonly notSeen: string[] = []
  readonly #readings: ExpectedCache

  constructor(readings: ExpectedCache) {
    this.#readings = readings
  }

  #expect(schema: z.ZodType): Expected {
    const known = this.#readings.get(schema) ?? describeExpectedType(schema)
    this.#readings.set(schema, known)
    return known
  }

  comparePlace(schema: z.ZodType, shape: Shape, path: string): void {
    const expected = this.#expect(schema)
    if (expected.isAnything) return
    const types = new Set([...shape.types].filter((type) => type !== 'null'))
    if (shape.types.has('null') && !expected.isNullable)
      this.#add(path, 'is sometimes null', { nullable: true })
    if (types.size === 0) {
      if (shape.types.has('null')) this.notSeen.push(path)
      return
    }
    if (this.#compareBoxes(expected, shape, path)) return
    if (this.#compareForms(expected, shape, path)) return
    const wrong = [...types].filter((type) => !expected.types.has(type))
    if (wrong.length > 0) {
      this.#addRetyped(expected, shape, path)
      return
    }
    this.#compareWords(expected, shape, path)
    if (types.has('object') && expected.fields !== undefined)
      this.#compareFields(expected.fields, shape, path)
    if (types.has('object') && expected.fields === undefined && expected.values !== undefined)
      this.#compareValues(expected.values, shape, path)
    if (types.has('array') && expected.entries !== undefined)
      this.#compareEntries(expected.entries, shape.entries, `${path}[*]`)
  }

  /**
   * Compares how a list is nested, because the service may wrap it in an object and the sandbox may
   * not, or the reverse. Returns true if the nesting differs.
   */
  #compareBoxes(expected: Expected, shape: Shape, path: string): boolean {
    const isList = shape.types.has('array')
    if (
      expected.entries !== undefined &&
      !isList &&
      shape.types.has('object') &&
      expected.fields === undefined &&
      expected.values === undefined
    ) {
      const [[name, inner] = ['', undefined], ...others] = [...mergeDynamicFields(shape)]
      if (inner === undefined || others.length > 0 || !inner.types.has('array') || name === '*')
        return false
      this.#add(path, `is an object with the list under ${name}`, { wrap: name }, [name])
      this.#compareEntries(expected.entries, inner.entries, `${path}[*]`)
      return true
    }
    if (expected.fields !== undefined && !isList)
      return this.#compareBoxed(expected.fields, shape, path)
    if (expected.fields === undefined || !isList || expected.entries !== undefined) return false
    const lists = [...expected.fields].filter(
      ([, field]) => this.#expect(field).entries !== undefined,
    )
    const [[name, field] = ['', undefined], ...others] = lists
    if (field === undefined || others.length > 0) return false
    this.#add(path, `is the list itself, not an object with the list under ${name}`, {
      unwrap: name,
    })
    const { entries } = this.#expect(field)
    if (entries !== undefined) this.#compareEntries(entries, shape.entries, `${path}.${name}[*]`)
    return true
  }

  /** True if the service wraps the sandbox's object in another object. */
  #compareBoxed(fields: ReadonlyMap<string, z.ZodType>, shape: Shape, path: string): boolean {
    const [[name, inner] = ['', undefined], ...others] = [...mergeDynamicFields(shape)]
    if (
      inner === undefined ||
      others.length > 0 ||
      fields.has(name) ||
      name === '*' ||
      inner.objects === 0
    )
      return false
    const required = [...fields].filter(([, field]) => !this.#expect(field).isOptional)
    const there = required.filter(([each]) => inner.fields.has(each))
    if (there.length === 0 || there.length < required.length / 2) return false
    this.#add(path, `is an object with this object under ${name}`, { wrap: name }, [name])
    this.#compareFields(fields, inner, path)
    return true
  }

  /** True if a time or an amount has a different format. */
  #compareForms({ forms, types }: Expected, shape: Shape, path: string): boolean {
    const [form, ...others] = [...shape.forms]
    if (form === undefined || form === 'other' || others.length > 0) return false
    const seen = [...shape.types].filter((type) => type !== 'null')
    if (seen.length !== 1) return false
    const isTime = form !== 'dollars-text'
    const isOther = isTime
      ? forms !== undefined && isTimeFormats(forms) && !forms.has(form)
      : types.has('number') && !types.has('string')
    // A string without a declared format may also contain a time.
    if (!isOther) return false
    this.#add(path, `has the format ${form}`, { format: form })
    return true
  }

  #addRetyped({ types }: Expected, shape: Shape, path: string): void {
    const seen = describeTypes(shape)
    const type = selectType(shape)
    const changes: Record<string, Change> = { [path]: { type } }
    if (type === 'object')
      for (const [name, field] of mergeDynamicFields(shape))
        describeAdded(`${path}.${name}`, field, changes)
    if (type === 'array' && shape.entries !== undefined && shape.entries.count > 0)
      describeAdded(`${path}[*]`, shape.entries, changes)
    this.findings.push({
      path,
      text: `is ${seen}, not ${[...types].join(' or ') || 'the declared type'}`,
      changes,
      names: [...mergeDynamicFields(shape).keys()].filter((name) => name !== '*'),
    })
  }

  #compareWords({ choices }: Expected, shape: Shape, path: string): void {
    const words = listObservedWords(shape)
    const unknown =
      choices === undefined || words === undefined
        ? []
        : words.filter((word) => !choices.includes(word))
    if (unknown.length === 0) return
    this.#add(path, `also has ${unknown.join(', ')}`, {
      enum: [...(choices as string[]), ...unknown],
    })
  }

  #compareFields(fields: ReadonlyMap<string, z.ZodType>, shape: Shape, path: string): void {
    const removed: string[] = []
    for (const [name, field] of fields) {
      const seen = shape.fields.get(name)
      const { isOptional } = this.#expect(field)
      if (seen === undefined && isOptional) this.notSeen.push(`${path}.${name}`)
      if (seen === undefined && !isOptional) removed.push(name)
      if (seen === undefined) continue
      if (seen.count < shape.objects && !isOptional)
        this.#add(`${path}.${name}`, 'is sometimes missing', { optional: true })
      this.comparePlace(field, seen, `${path}.${name}`)
    }
    const added = [...mergeDynamicFields(shape, new Set(fields.keys()))].filter(
      ([name]) => !fields.has(name),
    )
    const gone = removed.map((name) => [name, fields.get(name) as z.ZodType] as const)
    const renamed = this.#pairRenamedFields(gone, added)
    for (const [name, field] of gone) {
      const to = renamed.get(name)
      if (to === undefined) this.#add(`${path}.${name}`, 'does not exist', { remove: true })
      else {
        this.#add(
          `${path}.${name}`,
          `is missing, but there is a new field ${to} (renamed?)`,
          { rename: to },
          [to],
        )
        this.comparePlace(field, shape.fields.get(to) as Shape, `${path}.${name}`)
      }
    }
    for (const [name, field] of added)
      if (![...renamed.values()].includes(name))
        this.#addAdded(`${path}.${name}`, field, field.count < shape.objects)
  }

  /**
   * Detects renamed fields: pairs a removed field with an added field if the match is unambiguous.
   */
  #pairRenamedFields(
    removed: readonly (readonly [string, z.ZodType])[],
    added: readonly (readonly [string, Shape])[],
  ): Map<string, string> {
    const fits = (field: z.ZodType, shape: Shape) => {
      const { types, fields } = this.#expect(field)
      const seen = [...shape.types].filter((type) => type !== 'null')
      const isLike = seen.length > 0 && seen.every((type) => types.has(type))
      return (
        isLike &&
        (fields === undefined || [...shape.fields.keys()].some((name) => fields.has(name)))
      )
    }
    return new Map(
      removed.flatMap(([name, field]) => {
        const candidates = added.filter(([to, shape]) => to !== '*' && fits(field, shape))
        const [only] = candidates
        const rivals = only === undefined ? [] : removed.filter(([, other]) => fits(other, only[1]))
        return only === undefined || candidates.length > 1 || rivals.length > 1
          ? []
          : [[name, only[0]] as const]
      }),
    )
  }

  #compareValues(values: z.ZodType, shape: Shape, path: string): void {
    const all = [...shape.fields.values()]
    if (all.length === 0) {
      this.notSeen.push(`${path}.*`)
      return
    }
    this.comparePlace(values, mergeShapes(all), `${path}.*`)
  }

  #compareEntries(entries: z.ZodType, shape: Shape | undefined, path: string): void {
    if (shape === undefined || shape.count === 0) this.notSeen.push(path)
    else this.comparePlace(entries, shape, path)
  }

  #addAdded(path: string, shape: Shape, isOptional: boolean): void {
    if (path.endsWith('.*')) {
      this.findings.push({ path, text: 'has fields with names that look like values', names: [] })
      return
    }
    const changes: Record<string, Change> = {}
    describeAdded(path, shape, changes, isOptional)
    const names = Object.keys(changes).flatMap(
      (each) => each.slice(path.lastIndexOf('.') + 1).match(/[\w-]+/g) ?? [],
    )
    this.findings.push({
      path,
      text: `is added: ${describeTypes(shape)}`,
      changes,
      names: [...new Set(names)],
    })
  }

  #add(path: string, text: string, change: Change, names: readonly string[] = []): void {
    this.findings.push({ path, text, changes: { [path]: change }, names })
  }
}

function isTimeFormats(forms: ReadonlySet<ValueFormat>): boolean {
  return (['iso', 'iso-ms', 'iso-offset', 'date-time', 'date'] as const).some((form) =>
    forms.has(form),
  )
}

/** Adds overlay changes for an added value and its inner values. */
function describeAdded(
  path: string,
  shape: Shape,
  changes: Record<string, Change>,
  isOptional = false,
): void {
  const type = selectType(shape)
  const [form, ...otherForms] = [...shape.forms]
  const isFormed =
    form !== undefined &&
    form !== 'other' &&
    otherForms.length === 0 &&
    (type === 'string' || type === 'integer')
  changes[path] = {
    add: type,
    ...(isFormed ? { format: form } : {}),
    ...(shape.types.has('null') && type !== 'null' ? { nullable: true } : {}),
    ...(isOptional ? { optional: true } : {}),
  }
  if (type === 'object')
    for (const [name, field] of mergeDynamicFields(shape))
      describeAdded(`${path}.${name}`, field, changes, field.count < shape.objects)
  if (type === 'array' && shape.entries !== undefined && shape.entries.count > 0)
    describeAdded(`${path}[*]`, shape.entries, changes)
}

/** Returns the type that includes all observed types. */
function selectType({ types }: Shape): ValueType {
  return (
    (['object', 'array', 'string', 'number', 'integer', 'boolean'] as const).find((type) =>
      types.has(type),
    ) ?? 'null'
  )
}

function describeTypes(shape: Shape): string {
  const [form] = [...shape.forms]
  const types = [...shape.types].toSorted().join(' or ')
  return shape.forms.size === 1 && form !== undefined && form !== 'other'
    ? `${types} (${form})`
    : types
}
