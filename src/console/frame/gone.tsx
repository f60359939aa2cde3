import { worldOfPage } from '../shared/api.ts'

/** Says that the isolated world of the page was removed. */
export function GoneWorld() {
  return (
    <main class="token" id="panels">
      <h1>The world {worldOfPage()} is gone</h1>
      <p class="help">
        Somebody removed it, the server made room for others, or it was started anew. Nothing of it
        is left.
      </p>
      <p class="row">
        <button type="button" class="primary" onClick={() => location.reload()}>
          Make it anew
        </button>
        <a href="./">To the main world</a>
      </p>
    </main>
  )
}
