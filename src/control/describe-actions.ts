import { z } from 'zod'
import { actions } from '../actions/all-actions.ts'

/** Description of an action, from which the console creates a form. */
export interface ActionDescription {
  type: string
  summary: string
  /** JSON Schema of the fields, without `type`. */
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
