/** Shows an HTTP status, coloured by its class. 0 means that the connection was closed. */
export function StatusCode({ status }: { status: number }) {
  return (
    <span class={`badge ${status >= 200 && status < 400 ? 'good' : 'bad'}`}>
      {status === 0 ? 'cut' : status}
    </span>
  )
}
