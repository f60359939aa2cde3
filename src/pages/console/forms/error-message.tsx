/** Shows an error that occurred while loading or running a command. */
export function ErrorMessage({ text }: { text: string | null | undefined }) {
  if (text === undefined || text === null) return null
  return (
    <p class="error" role="alert">
      {text}
    </p>
  )
}
