/** Says what went wrong, beside what caused it. */
export function Problem({ text }: { text: string | null | undefined }) {
  if (text === undefined || text === null) return null
  return (
    <p class="error" role="alert">
      {text}
    </p>
  )
}
