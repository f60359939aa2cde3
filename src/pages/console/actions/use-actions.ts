import type { FormSchema } from '../forms/fields.ts'
import { useLoadedData, useStore } from '../../shared/hooks.ts'
import type { ActionDescription } from '../../shared/types.ts'
import { wordings } from './wording.ts'
import type { ActionWording } from './wording.ts'

/** An action with its labels and the schema of its fields. */
export interface ShownAction extends ActionWording {
  type: string
  summary: string
  schema: FormSchema
}

const order = Object.keys(wordings)

/** Returns the actions in the order of `wordings`. */
export function useActions(): readonly ShownAction[] {
  const { api } = useStore()
  const { data = [] } = useLoadedData(() => api.get<ActionDescription[]>('actions'), '')
  return data
    .map(({ type, summary, schema }) => ({
      ...(wordings[type] ?? { title: type, button: type }),
      type,
      summary,
      schema: schema as FormSchema,
    }))
    .toSorted((a, b) => order.indexOf(a.type) - order.indexOf(b.type))
}
