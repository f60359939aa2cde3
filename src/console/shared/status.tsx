/** An HTTP status, coloured by its class. 0 stands for a connection that was cut. */
export function Status({ status }: { status: number }) {
  return (
    <span class={`badge ${status >= 200 && status < 400 ? 'good' : 'bad'}`}>
      {status === 0 ? 'cut' : status}
    </span>
  )
}
