import { useStore, useStoreState } from '../../shared/hooks.ts'

/** Shows short messages over the page, at the edge of the window. */
export function ToastMessages() {
  const store = useStore()
  const toasts = useStoreState((state) => state.toasts)
  return (
    <ul class="toasts" aria-live="polite" aria-label="Messages">
      {toasts.map(({ id, text, undo }) => (
        <li key={id} class="toast">
          <span>{text}</span>
          {undo !== undefined && (
            <button type="button" onClick={() => void store.undo()}>
              Undo
            </button>
          )}
          <button type="button" aria-label="Dismiss" onClick={() => store.dismissToast(id)}>
            ×
          </button>
        </li>
      ))}
    </ul>
  )
}
