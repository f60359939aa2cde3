import type { z } from 'zod'

const plainTypes = new Set(['string', 'number', 'boolean', 'enum', 'literal', 'null', 'undefined'])

/** Lists the fields of a record that may hold objects or arrays. */
export function containersOf(schema: z.ZodType): string[] {
  const { shape } = schema as Partial<z.ZodObject>
  return Object.entries(shape ?? {}).flatMap(([field, type]) =>
    plainTypes.has(innermost(type as z.ZodType)) ? [] : [field],
  )
}

/** The type of a field without `nullable`, `optional` and `default`. */
function innermost(schema: z.ZodType): string {
  const { type, innerType } = schema.def as { type: string; innerType?: z.ZodType }
  return innerType !== undefined &&
    (type === 'nullable' || type === 'optional' || type === 'default')
    ? innermost(innerType)
    : type
}

/** Freezes a value and everything in it. */
export function deepFreeze<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  if (Array.isArray(value)) {
    for (let place = 0; place < value.length; place += 1)
      if (typeof value[place] === 'object') deepFreeze(value[place])
  } else
    for (const key in value) {
      const child = value[key]
      if (typeof child === 'object') deepFreeze(child)
    }
  return Object.freeze(value)
}

/** Freezes a row and the values of its container fields. */
export function freezeRow<Row extends object>(row: Row, containers: readonly (keyof Row)[]): void {
  for (let place = 0; place < containers.length; place += 1)
    deepFreeze(row[containers[place] as keyof Row])
  Object.freeze(row)
}
