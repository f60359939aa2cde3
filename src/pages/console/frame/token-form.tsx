import { useState } from 'preact/hooks'
import { useStore } from '../../shared/hooks.ts'

/** Form that asks for the control token. */
export function TokenForm() {
  const store = useStore()
  const [token, setToken] = useState('')
  const [isWrong, setWrong] = useState(false)
  const submit = async (event: Event) => {
    event.preventDefault()
    store.api.unlock(token.trim())
    await store.api.get('pulse').then(
      () => location.reload(),
      () => setWrong(true),
    )
  }
  return (
    <main class="token">
      <h1>Sandbox console</h1>
      <form onSubmit={(event) => void submit(event)}>
        <label for="token">The token of the control plane</label>
        <p class="help">The value of --control-token. It is stored until this tab is closed.</p>
        <input
          id="token"
          type="password"
          autocomplete="off"
          value={token}
          onInput={(event) => setToken(event.currentTarget.value)}
        />
        {isWrong && <p role="alert">Wrong token.</p>}
        <button type="submit" class="primary">
          Open
        </button>
      </form>
    </main>
  )
}
