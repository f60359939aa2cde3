import { getPageWorld } from '../../shared/api.ts'
import { useStore } from '../../shared/hooks.ts'

/** Page for a world that does not exist, with a command that creates the world. */
export function WorldNotFound() {
  const { api, attempt } = useStore()
  const make = () =>
    attempt(async () => {
      await api.createWorld()
      location.reload()
    })
  return (
    <main class="token" id="panels">
      <h1>No world {getPageWorld()}</h1>
      <p class="help">
        It never existed, or it was removed. The server also removes worlds to make room for new
        ones, and when it restarts without a state folder.
      </p>
      <p class="row">
        <button type="button" class="primary" onClick={() => void make()}>
          Create it
        </button>
        <a href="./">To the main world</a>
      </p>
    </main>
  )
}
