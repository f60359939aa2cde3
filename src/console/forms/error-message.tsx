/** Shows the error of loading or of a command, if there is one. */
export function ErrorMessage({ text }: { text: string | null | undefined }) {
  if (text === undefined || text === null) return null
  return (
    <p class="error" role="alert">
      {text}
    </p>
  )
}
