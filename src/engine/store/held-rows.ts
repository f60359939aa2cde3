import type { z } from 'zod'
import type { Meter } from '../budget.ts'
import { jsonSize } from '../json-size.ts'
import type { Records } from './records.ts'
import { placeOf } from './rows.ts'
import type { Id } from './rows.ts'

/**
 * What a record takes by itself, what each of its fields does, and its place in an index. Bytes.
 */
const recordBytes = 64
const fieldBytes = 10
const indexBytes = 32
/** What a record takes in a world that shares it with another one: its places in lists. */
const sharedBytes = 20
const characterBytes = 1

interface RowDefinition {
  schema: z.ZodType
  indexes: object
  containers: readonly string[]
}

/** What a record of a table takes, without its texts and lists. Bytes. */
export function bytesPerRow({ schema, indexes }: RowDefinition): number {
  return (
    recordBytes +
    fieldBytes * Object.keys(shapeOf(schema)).length +
    indexBytes * Object.keys(indexes).length
  )
}

/**
 * Counts what the records of a table take of a budget: so much for each, and its texts and lists. A
 * record that others hold anyway counts once: one that `reset` goes back to counts in its world
 * even after it was changed or removed, and one of a world that this one was made from counts only
 * with its places in lists.
 */
export class HeldRows<Row extends { id: Id }> {
  readonly #meter: Meter
  readonly #perRow: number
  /** The fields that may hold a text of any length, a list or an object. */
  readonly #fields: readonly (keyof Row)[]
  /** The records that others hold anyway, by id. */
  #shared: Records<Row> | undefined
  /** What the shared records count here. */
  #base = 0
  #bytes = 0

  constructor(meter: Meter, definition: RowDefinition) {
    this.#meter = meter
    this.#perRow = bytesPerRow(definition)
    const texts = Object.entries(shapeOf(definition.schema)).flatMap(([field, schema]) =>
      isFreeText(schema) ? [field] : [],
    )
    this.#fields = [...texts, ...definition.containers] as (keyof Row)[]
  }

  /** The bytes that the table takes. */
  get bytes(): number {
    return this.#bytes
  }

  set bytes(bytes: number) {
    this.#meter.add(bytes - this.#bytes)
    this.#bytes = bytes
  }

  /** A record was added, changed or removed. */
  change(before: Row | undefined, after: Row | undefined): void {
    const goes = before === undefined || this.#isShared(before) ? undefined : before
    if (goes !== undefined && after !== undefined)
      this.bytes += this.#sizeOfTexts(after, goes) - this.#sizeOfTexts(goes, after)
    else
      this.bytes +=
        (after === undefined ? 0 : this.#sizeOf(after)) -
        (goes === undefined ? 0 : this.#sizeOf(goes))
  }

  #isShared(row: Row): boolean {
    const rows = this.#shared?.rows ?? []
    return rows[placeOf(rows, row.id)] === row
  }

  /** What the table takes once all its records are replaced by these. */
  counting(rows: readonly Row[]): number {
    let bytes = this.#base
    for (const row of rows) {
      if (!this.#isShared(row)) bytes += this.#sizeOf(row)
    }
    return bytes
  }

  /** The records that the table has now stay, because `reset` goes back to them. */
  keep(records: Records<Row>): void {
    this.#shared = records
    this.#base = this.#bytes
  }

  /** The table went back to a snapshot, of its own or of its twin in another world. */
  restore({
    holder,
    bytes,
    records,
  }: {
    holder: object | undefined
    bytes: number
    records: Records<Row>
  }): void {
    if (holder === this) {
      this.bytes = bytes
      return
    }
    this.#shared = records
    this.#base = records.unsorted.length * sharedBytes
    this.bytes = this.#base
  }

  #sizeOf(row: Row): number {
    return this.#perRow + this.#sizeOfTexts(row)
  }

  /**
   * What the texts and lists of a record take, without those that are the same in the other one.
   */
  #sizeOfTexts(row: Row, other?: Row): number {
    let bytes = 0
    for (let place = 0; place < this.#fields.length; place += 1) {
      const field = this.#fields[place] as keyof Row
      const value = row[field]
      if (other !== undefined && value === other[field]) continue
      if (typeof value === 'string') bytes += value.length * characterBytes
      else if (typeof value === 'object' && value !== null)
        bytes += jsonSize(value) * characterBytes
    }
    return bytes
  }
}

function shapeOf(schema: z.ZodType): Readonly<Record<string, z.ZodType>> {
  return (schema as Partial<z.ZodObject>).shape ?? {}
}

/** Whether a field is a text without a form that holds it short, such as that of an instant. */
function isFreeText(schema: z.ZodType): boolean {
  const { type, innerType, format } = schema.def as {
    type: string
    innerType?: z.ZodType
    format?: string
  }
  if (innerType !== undefined && (type === 'nullable' || type === 'optional' || type === 'default'))
    return isFreeText(innerType)
  return type === 'string' && format === undefined
}
