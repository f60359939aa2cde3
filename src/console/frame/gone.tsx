import { worldOfPage } from '../shared/api.ts'
import { useStore } from '../shared/hooks.ts'

/** Says that there is no isolated world of the name in the address, and makes it on demand. */
export function GoneWorld() {
  const { api, attempt } = useStore()
  const make = () =>
    attempt(async () => {
      await api.makeWorld()
      location.reload()
    })
  return (
    <main class="token" id="panels">
      <h1>There is no world {worldOfPage()}</h1>
      <p class="help">
        It was never made, it was removed, the server made room for others, or the server was
        started again. Nothing of it is left.
      </p>
      <p class="row">
        <button type="button" class="primary" onClick={() => void make()}>
          Make it
        </button>
        <a href="./">To the main world</a>
      </p>
    </main>
  )
}
