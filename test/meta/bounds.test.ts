import { expect, it } from 'vitest'
import { z } from 'zod'
import { actions } from '../../src/actions/all-actions.ts'
import { ClockChange, ScenarioChoice } from '../../src/control/inputs.ts'
import { ReplayCommand } from '../../src/control/replay-command.ts'
import { controlRoutes } from '../../src/control/routes/all-routes.ts'
import { SeriesQuery } from '../../src/control/series.ts'
import { Fault, FaultInput } from '../../src/world/fault-input.ts'
import { getSnapshotSchemas } from '../../src/world/snapshot/snapshot-schema.ts'
import { SandboxOptions } from '../../src/sandbox/options.ts'
import { Scenario } from '../../src/scenario/schema.ts'
import { Step } from '../../src/scenario/expand-timeline.ts'
import { allResources, routes } from '../../src/resources/all-resources.ts'
import { tableDefinitions } from '../../src/resources/all-tables.ts'

/** All schemas for external input, by name. */
const schemas: readonly (readonly [string, z.ZodType])[] = [
  ...routes.flatMap(({ id, params, query, body, fileLimit }) => [
    [`${id} params`, params] as const,
    [`${id} query`, query] as const,
    ...(body === null || fileLimit !== undefined ? [] : [[`${id} body`, body] as const]),
  ]),
  ...controlRoutes.flatMap(({ method, path, query, body }) => [
    [`${method} /_sandbox${path} query`, query] as const,
    // Skips two bodies that the schemas of actions and snapshots below cover.
    ...(body === null || path === '/actions' || path === '/snapshot'
      ? []
      : [[`${method} /_sandbox${path} body`, body] as const]),
  ]),
  ...actions.map(({ type, schema }) => [`action ${type}`, schema] as const),
  ['clock', ClockChange],
  ['scenario choice', ScenarioChoice],
  ['replay', ReplayCommand],
  ['series', SeriesQuery],
  ['fault', FaultInput],
  ['fault in force', Fault],
  ['options', SandboxOptions],
  ['scenario', Scenario],
  ['step', Step],
  ...Object.entries(
    getSnapshotSchemas({
      definitions: tableDefinitions,
      services: allResources.flatMap(({ services }) => services ?? []),
    }),
  ).map(([form, schema]) => [`snapshot (${form})`, schema] as const),
]

it('limits all texts, lists, maps and numbers from outside', () => {
  expect(schemas.flatMap(([name, schema]) => listUnboundedPaths(schema, name))).toEqual([])
})

/** Returns the paths of all strings, lists, maps and numbers in a schema that have no maximum. */
function listUnboundedPaths(
  schema: z.ZodType,
  path: string,
  way: readonly z.ZodType[] = [],
): string[] {
  const { def } = (schema as unknown as z.core.$ZodTypes)._zod
  const meta = z.globalRegistry.get(schema) ?? {}
  // The maximum applies to the whole record (`maxRecordCharacters`).
  const isRecord =
    meta['x-max-characters'] !== undefined ||
    Object.values(tableDefinitions).some((table) => table.schema === schema)
  if (way.includes(schema) || isRecord) return []
  const within = (inner: z.core.SomeType, name = '') =>
    listUnboundedPaths(inner as z.ZodType, `${path}${name}`, [...way, schema])
  const missing = (what: string) => [`${path}: ${what}`]
  const sizes = (def.checks ?? []).map((check) => check._zod.def.check)
  const isSized =
    sizes.includes('max_length') ||
    sizes.includes('length_equals') ||
    meta['maxLength'] !== undefined
  switch (def.type) {
    case 'string':
      return isSized ? [] : missing('string')
    case 'number':
      return Number.isFinite((schema as z.ZodNumber).maxValue ?? Infinity) ? [] : missing('number')
    case 'array':
      // The table schemas validate the records in a snapshot.
      return [
        ...(isSized ? [] : missing('array')),
        ...(/^snapshot \(.*(tables\.\w+|rows)$/.test(path) ? [] : within(def.element, '[]')),
      ]
    case 'record':
      return [
        ...(meta['maxProperties'] === undefined ? missing('record') : []),
        ...within(def.keyType, '{key}'),
        ...within(def.valueType, '{}'),
      ]
    case 'object':
      return [
        ...Object.entries(def.shape).flatMap(([field, inner]) =>
          within(inner as z.core.SomeType, `.${field}`),
        ),
        ...(def.catchall === undefined ||
        def.catchall._zod.def.type === 'never' ||
        meta['maxProperties'] !== undefined
          ? []
          : missing('catchall')),
      ]
    case 'union':
      return def.options.flatMap((option) => within(option))
    case 'tuple':
      return def.items.flatMap((item, index) => within(item, `[${index}]`))
    case 'lazy':
      return within(def.getter())
    case 'pipe':
      return within((def.in as z.ZodType)._zod.def.type === 'transform' ? def.out : def.in)
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'nonoptional':
    case 'readonly':
      return within(def.innerType)
    case 'unknown':
      return missing('unknown')
    case 'boolean':
    case 'enum':
    case 'literal':
    case 'null':
    case 'undefined':
    case 'never':
      return []
    default:
      return schema instanceof z.ZodCustom
        ? []
        : missing(`a ${def.type} that this test does not know`)
  }
}
