import { z } from 'zod'
import * as envelope from '../api/envelope-schemas.ts'
import * as fields from '../lib/fields.ts'
import { allResources } from '../resources/all-resources.ts'

const modules = [envelope, fields, ...allResources.flatMap(({ schemas }) => schemas ?? [])]

/**
 * The names of the schemas under `components/schemas`: every schema that a `schemas` module exports
 * with a PascalCase name. They do not use `.meta({ id })` of zod, because its registry is global
 * and contains the user's schemas too.
 */
export const schemaNames: ReadonlyMap<unknown, string> = new Map(
  modules.flatMap((module) => Object.entries(module).flatMap(toNamed)),
)

function toNamed([name, value]: [string, unknown]): [unknown, string][] {
  return /^[A-Z]/.test(name) && value instanceof z.ZodType ? [[value, name]] : []
}
