import { z } from 'zod'
import { actions } from './actions/index.ts'

/** An action, for whoever makes a form of it. */
export interface ActionDescription {
  type: string
  summary: string
  /** The JSON schema of its fields besides `type`. */
  schema: Record<string, unknown>
}

/** Every action, with the schema of its fields. */
export function describeActions(): ActionDescription[] {
  return actions.map(({ type, summary, schema }) => ({ type, summary, schema: z.toJSONSchema(schema as z.ZodType, { io: 'input' }) }))
}
