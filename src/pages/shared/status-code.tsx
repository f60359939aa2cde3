/**
 * Shows an HTTP status, coloured by its class. 0 means that the connection was closed. `5XX` is a
 * class of the documents.
 */
export function StatusCode({ status }: { status: number | string }) {
  const isGood = Number(status) >= 200 && Number(status) < 400
  return <span class={`badge ${isGood ? 'good' : 'bad'}`}>{status === 0 ? 'cut' : status}</span>
}
