import { useState } from 'preact/hooks'
import type { FormSchema } from '../shared/fields.ts'
import { SchemaForm } from '../shared/form.tsx'
import { useLoad, useStore } from '../shared/hooks.ts'
import { Panel } from '../shared/panel.tsx'
import { useRoutes } from '../shared/routes.ts'
import type { ActionDescription, ActionDone } from '../shared/types.ts'

/** Whatever can happen in the world, as a form. */
export function ActionsPanel() {
  const { api } = useStore()
  const { data = [] } = useLoad(() => api.get<ActionDescription[]>('actions'), '')
  const routes = useRoutes()
  const [type, setType] = useState('tip')
  const action = data.find((each) => each.type === type) ?? data[0]
  return (
    <Panel title="Actions">
      <div class="field">
        <label for="action">What is to happen</label>
        <select
          id="action"
          value={action?.type}
          onChange={(event) => setType(event.currentTarget.value)}
        >
          {data.map((each) => (
            <option key={each.type} value={each.type}>
              {each.type}
            </option>
          ))}
        </select>
        <p class="help">{action?.summary}.</p>
      </div>
      {action !== undefined && (
        <SchemaForm
          key={action.type}
          schema={action.schema as FormSchema}
          submitLabel="Do it"
          routes={routes}
          onSubmit={async (fields) => [
            (await api.send<ActionDone>('POST', 'actions', { ...fields, type: action.type }))
              .happened,
          ]}
        />
      )}
    </Panel>
  )
}
