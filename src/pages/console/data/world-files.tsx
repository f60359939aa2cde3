import { ErrorMessage } from '../forms/error-message.tsx'
import { useState } from 'preact/hooks'
import { ControlError } from '../../shared/api.ts'
import { downloadText } from '../shared/request-export.ts'
import { useCommandRunner, useStoreState, useStore } from '../../shared/hooks.ts'
import { Panel } from '../shared/panel.tsx'
import { useWorldCommands } from '../shared/world-commands.ts'
import type { PresentScenario } from '../../shared/types.ts'

/** Panel that saves the state or a scenario as a file, and restores a state from a file. */
export function WorldFileCommands() {
  const { api } = useStore()
  const scenario = useStoreState((state) => state.pulse?.scenario ?? 'world')
  const { error, isBusy, run } = useCommandRunner()
  const [saved, setSaved] = useState<string>()
  const save = () =>
    run(async () => {
      const whole = await api.get<object>('snapshot').catch((reason: unknown) => {
        if (reason instanceof ControlError && reason.status === 413) return undefined
        throw reason
      })
      const snapshot = whole ?? (await api.get<object>('snapshot', { form: 'changes' }))
      downloadText(`${scenario}.snapshot.json`, JSON.stringify(snapshot))
      setSaved(
        whole === undefined
          ? 'Saved only the changes since the data was loaded, because the world is too large ' +
              'for a full file. You can restore these changes only with the same version, ' +
              'scenario, seed ' +
              'and start.'
          : 'Saved the whole world.',
      )
    })
  const saveScenario = () =>
    run(async () => {
      const {
        name,
        yaml,
        left_out: left,
      } = await api.get<PresentScenario>('scenario', { name: `${scenario}-as-it-was` })
      downloadText(`${name}.yaml`, yaml)
      setSaved(`Saved. The scenario does not contain: ${left.join('; ')}.`)
    })
  const { error: restoreError, isBusy: isRestoring, restore } = useWorldCommands()
  return (
    <Panel title="Save or restore the world">
      <div class="stack">
        <p class="row">
          <button type="button" disabled={isBusy} onClick={save}>
            Save the state as a file
          </button>
          <span class="help">The whole world, to restore later.</span>
        </p>
        <p class="row">
          <button type="button" disabled={isBusy} onClick={saveScenario}>
            Save as a scenario
          </button>
          <span class="help">The records, to start from elsewhere.</span>
        </p>
        <label>
          Restore a state from a file{' '}
          <input
            type="file"
            accept="application/json,.json"
            disabled={isBusy || isRestoring}
            onChange={({ currentTarget }) => {
              const [file] = currentTarget.files ?? []
              if (file !== undefined) restore(file)
              // Clears the input so that the user can select the same file again.
              currentTarget.value = ''
            }}
          />
        </label>
        <ErrorMessage text={error ?? restoreError} />
        {saved !== undefined && (
          <p class="done" role="status">
            {saved}
          </p>
        )}
      </div>
    </Panel>
  )
}
