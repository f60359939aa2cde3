import { describeValue, SandboxError } from '../errors.ts'

/** Throws if a value is not an object. @throws {SandboxError} */
export function requireObject(value: unknown, verb: string): asserts value is object {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return
  throw new SandboxError(
    `Failed to ${verb} (${describeValue(value)}): it must be an object with fields of the record.`,
  )
}

/**
 * Throws if a value is not a valid id. A bigint is invalid, because it would never equal an id.
 * @throws {SandboxError}
 */
export function requireId(id: unknown, verb: string, table: string): void {
  if (typeof id === 'number' || typeof id === 'string') return
  throw new SandboxError(
    `Failed to ${verb} ${table} (id: ${describeValue(id)}): it must be a number or a string.`,
  )
}

/**
 * Throws if a value is not a valid number of records to skip or to return. @throws {SandboxError}
 */
export function requireCount(count: unknown, name: string, table: string): void {
  if (count === Infinity || (Number.isInteger(count) && (count as number) >= 0)) return
  throw new SandboxError(
    `Failed to read ${table} (${name}: ${describeValue(count)}): it must be an integer of at least 0.`,
  )
}
