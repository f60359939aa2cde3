/** Shows the error of a load or a command, if any. */
export function ErrorMessage({ text }: { text: string | null | undefined }) {
  if (text === undefined || text === null) return null
  return (
    <p class="error" role="alert">
      {text}
    </p>
  )
}
