import { z } from 'zod'
import { actions } from './actions/index.ts'

/** The description of an action, for forms. */
export interface ActionDescription {
  type: string
  summary: string
  /** The JSON schema of the fields, without `type`. */
  schema: Record<string, unknown>
}

/** Describes every action. */
export function describeActions(): ActionDescription[] {
  return actions.map(({ type, summary, schema }) => ({
    type,
    summary,
    schema: z.toJSONSchema(schema as z.ZodType, { io: 'input' }),
  }))
}
