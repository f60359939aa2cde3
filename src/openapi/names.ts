import { z } from 'zod'
import * as envelope from '../engine/envelope.ts'
import * as fields from '../engine/fields.ts'
import { allResources } from '../world/resources.ts'

const modules = [envelope, fields, ...allResources.flatMap(({ schemas }) => schemas ?? [])]

/**
 * The schemas that stand under `components/schemas`, by name: whatever a module of wire shapes exports under a PascalCase name.
 * They are not named by zod's own `.meta({ id })` because that registry is one for the whole process, the user's schemas included.
 */
export const schemaNames: ReadonlyMap<unknown, string> = new Map(modules.flatMap((module) => Object.entries(module).flatMap(toNamed)))

function toNamed([name, value]: [string, unknown]): [unknown, string][] {
  return /^[A-Z]/.test(name) && value instanceof z.ZodType ? [[value, name]] : []
}
