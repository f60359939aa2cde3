import { z } from 'zod'
import type { Shape } from '../src/scenario/defaults.ts'
import { noData, Scenario } from '../src/scenario/schema.ts'
import type { Shape as JsonShape } from './json-schema.ts'

/** Reads the default values of scenario fields from the schema. */
export function readScenarioShape(): Shape {
  const shape = toShape(
    z.toJSONSchema(Scenario, { io: 'input', override: keepDefault }) as JsonShape,
  )
  const data = shape.fields?.['organisations']?.items?.fields?.['accounts']?.items?.fields?.['data']
  if (data === undefined)
    throw new Error(
      'Failed to read the defaults of a scenario: its accounts have no data. See src/scenario/schema.ts.',
    )
  // A transform sets the default data sizes, so the JSON Schema does not contain them.
  data.fields = Object.fromEntries(
    Object.entries(noData).map(([name, standard]) => [
      name,
      { default: standard, ...data.fields?.[name] },
    ]),
  )
  return shape
}

/** The input JSON Schema omits the defaults of transformed fields. */
function keepDefault({
  zodSchema,
  jsonSchema,
}: {
  zodSchema: z.core.$ZodTypes
  jsonSchema: z.core.JSONSchema.BaseSchema
}): void {
  const { def } = zodSchema._zod
  if (def.type === 'default') jsonSchema.default = def.defaultValue as typeof jsonSchema.default
}

function toShape({ default: standard, properties, items, oneOf }: JsonShape): Shape {
  const fields = toShapes(Object.entries(properties ?? {}))
  const types = toShapes(
    (oneOf ?? []).map((option) => [String(option.properties?.['type']?.const), option]),
  )
  const ofItems = items === undefined ? {} : toShape(items)
  return {
    ...(standard === undefined ? {} : { default: standard }),
    ...(Object.values(fields).some(hasDefaults) ? { fields } : {}),
    ...(hasDefaults(ofItems) ? { items: ofItems } : {}),
    ...(Object.values(types).some(hasDefaults)
      ? { types: Object.fromEntries(Object.entries(types).filter(([, type]) => hasDefaults(type))) }
      : {}),
  }
}

function toShapes(schemas: readonly (readonly [string, JsonShape])[]): Record<string, Shape> {
  return Object.fromEntries(schemas.map(([name, schema]) => [name, toShape(schema)]))
}

function hasDefaults(shape: Shape): boolean {
  return Object.keys(shape).length > 0
}
