/** True if two values are equal as JSON, including the order of keys. */
export function isSameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null)
    return false
  if (Array.isArray(one) !== Array.isArray(other)) return false
  const keys = Object.keys(one)
  const others = Object.keys(other)
  if (keys.length !== others.length) return false
  return keys.every(
    (key, place) => key === others[place] && isSameJson(getValue(one, key), getValue(other, key)),
  )
}

/** Copies a JSON value. Spreading an object first preserves its hidden class, which is faster. */
export function copyJson<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(copyJson) as Value
  // A field `__proto__` is copied as an own property.
  const copy = { ...(value as Record<string, unknown>) }
  for (const key in copy) {
    const part = copy[key]
    if (typeof part === 'object' && part !== null) copy[key] = copyJson(part)
  }
  return copy as Value
}

function getValue(value: object, key: string): unknown {
  return (value as Readonly<Record<string, unknown>>)[key]
}
