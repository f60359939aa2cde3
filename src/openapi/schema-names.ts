import { z } from 'zod'
import * as envelope from '../api/envelope-schemas.ts'
import * as fields from '../lib/fields.ts'
import { allResources } from '../resources/all-resources.ts'

const modules = [envelope, fields, ...allResources.flatMap(({ schemas }) => schemas ?? [])]

/**
 * Names of the schemas under `components/schemas`: the names of all PascalCase exports of the
 * `schemas` modules. zod's `.meta({ id })` is not used, because its registry is global and also
 * contains the user's schemas.
 */
export const schemaNames: ReadonlyMap<unknown, string> = new Map(
  modules.flatMap((module) => Object.entries(module).flatMap(toNamed)),
)

function toNamed([name, value]: [string, unknown]): [unknown, string][] {
  return /^[A-Z]/.test(name) && value instanceof z.ZodType ? [[value, name]] : []
}
