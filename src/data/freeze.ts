/**
 * An empty list for many rows, which saves memory. It is frozen already, so freezing these rows is
 * faster.
 */
export const emptyList = Object.freeze([]) as readonly never[] as never[]

/** Freezes a value and everything in it. */
export function deepFreeze<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  if (Array.isArray(value)) {
    for (let place = 0; place < value.length; place += 1)
      if (typeof value[place] === 'object') deepFreeze(value[place])
  } else
    for (const key in value) {
      const child = value[key]
      if (typeof child === 'object' && child !== emptyList) deepFreeze(child)
    }
  return Object.freeze(value)
}
