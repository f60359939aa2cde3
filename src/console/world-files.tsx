import { download } from './copies.ts'
import { useDeed, useShared, useStore } from './hooks.ts'
import { Panel } from './panel.tsx'

/** The whole world as a file, and back. */
export function WorldFiles() {
  const { api, refresh } = useStore()
  const scenario = useShared((state) => state.pulse?.scenario ?? 'world')
  const { error, isBusy, run } = useDeed()
  const save = () => run(async () => download(`${scenario}.snapshot.json`, JSON.stringify(await api.get<object>('snapshot'))))
  const restore = (file: File) =>
    run(async () => {
      await api.send('PUT', 'snapshot', JSON.parse(await file.text()))
      await refresh()
    })
  return (
    <Panel title="Snapshot" wide>
      <div class="row">
        <button type="button" disabled={isBusy} onClick={save}>
          Save the world as a file
        </button>
        <label class="inline">
          Go back to a file{' '}
          <input
            type="file"
            accept="application/json,.json"
            disabled={isBusy}
            onChange={({ currentTarget }) => {
              const [file] = currentTarget.files ?? []
              if (file !== undefined) restore(file)
            }}
          />
        </label>
      </div>
      {error !== undefined && (
        <p class="error" role="alert">
          {error}
        </p>
      )}
    </Panel>
  )
}
