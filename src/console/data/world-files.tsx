import { useState } from 'preact/hooks'
import { download } from '../shared/copies.ts'
import { useDeed, useShared, useStore } from '../shared/hooks.ts'
import { Panel } from '../shared/panel.tsx'
import { Problem } from '../shared/problem.tsx'
import { rememberWorld } from '../shared/undo.ts'
import type { PresentScenario } from '../shared/types.ts'

/** Saves the world as a file, and restores it. */
export function WorldFiles() {
  const { api, refresh, say } = useStore()
  const scenario = useShared((state) => state.pulse?.scenario ?? 'world')
  const { error, isBusy, run } = useDeed()
  const [leftOut, setLeftOut] = useState<readonly string[]>()
  const save = () =>
    run(async () =>
      download(`${scenario}.snapshot.json`, JSON.stringify(await api.get<object>('snapshot'))),
    )
  const write = () =>
    run(async () => {
      const {
        name,
        yaml,
        left_out: left,
      } = await api.get<PresentScenario>('scenario', { name: `${scenario}-as-it-was` })
      download(`${name}.yaml`, yaml)
      setLeftOut(left)
    })
  const restore = (file: File) =>
    run(async () => {
      const undo = await rememberWorld(api)
      await api.send('PUT', 'snapshot', JSON.parse(await file.text()))
      await refresh()
      say(`The world is as it was in ${file.name}.`, () => undo().then(refresh))
    })
  return (
    <Panel title="The world as a file">
      <div class="stack">
        <p class="row">
          <button type="button" disabled={isBusy} onClick={save}>
            Save a snapshot
          </button>
          <span class="help">All of it, to go back to.</span>
        </p>
        <p class="row">
          <button type="button" disabled={isBusy} onClick={write}>
            Save as a scenario
          </button>
          <span class="help">Its records, to begin with elsewhere.</span>
        </p>
        <label>
          Go back to a snapshot{' '}
          <input
            type="file"
            accept="application/json,.json"
            disabled={isBusy}
            onChange={({ currentTarget }) => {
              const [file] = currentTarget.files ?? []
              if (file !== undefined) restore(file)
              // The same file can be chosen again.
              currentTarget.value = ''
            }}
          />
        </label>
        <Problem text={error} />
        {leftOut !== undefined && (
          <p class="done" role="status">
            Saved. A scenario leaves out: {leftOut.join('; ')}.
          </p>
        )}
      </div>
    </Panel>
  )
}
