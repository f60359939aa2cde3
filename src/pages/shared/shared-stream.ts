import { ControlError } from './api.ts'
import type { Api } from './api.ts'

/**
 * State of the connection to the sandbox. `locked`: the control plane requires a token. `gone`: the
 * world does not exist.
 */
export type Connection = 'connecting' | 'live' | 'lost' | 'locked' | 'gone'

/** Receives sandbox events. */
interface Listener {
  onEvent: (event: string, data: unknown) => void
  onConnection: (connection: Connection) => void
}

type Message = { event: string; data: unknown } | { connection: Connection } | { hello: true }

const maxRetryMs = 5_000

/**
 * Follows the events until the user leaves the page. All tabs share one stream, because browsers
 * open at most six connections to a server. The tab that holds the lock reads the stream and sends
 * the events to the others. When that tab is closed, another takes over. Without locks, for example
 * over plain HTTP from another machine, each tab opens its own stream.
 */
export async function followEvents(
  api: Api,
  listener: Listener,
  signal: AbortSignal,
): Promise<void> {
  const { locks } = navigator
  if (locks === undefined) return read(api, listener, signal)
  const name = await api.streamName()
  const channel = new BroadcastChannel(name)
  let ownConnection: Connection | undefined
  const post = (message: Message) => {
    // A BroadcastChannel only reaches pages of its own origin, so no target origin is needed.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    if (!signal.aborted) channel.postMessage(message)
  }
  const receive = (message: Message) => {
    if ('hello' in message) {
      if (ownConnection !== undefined) post({ connection: ownConnection })
      return
    }
    if ('connection' in message) listener.onConnection(message.connection)
    else listener.onEvent(message.event, message.data)
  }
  channel.addEventListener('message', ({ data }: MessageEvent<Message>) => receive(data))
  signal.addEventListener('abort', () => channel.close(), { once: true })
  post({ hello: true })
  const share = (message: Message) => {
    receive(message)
    post(message)
  }
  const sharing: Listener = {
    onEvent: (event, data) => share({ event, data }),
    onConnection: (connection) => {
      ownConnection = connection
      share({ connection })
    },
  }
  await locks
    .request(name, { signal }, () => read(api, sharing, signal))
    .catch((error: unknown) => {
      if (!signal.aborted) throw error
    })
}

async function read(
  api: Api,
  { onEvent, onConnection }: Listener,
  signal: AbortSignal,
): Promise<void> {
  // Tabs that previously shared another stream have missed events, so they reload when this stream
  // opens.
  onConnection('connecting')
  for (let retryMs = 500; !signal.aborted; retryMs = Math.min(retryMs * 2, maxRetryMs)) {
    try {
      const stream = await api.open('events', signal)
      onConnection('live')
      retryMs = 250
      await readEvents(stream, onEvent)
    } catch (error) {
      const status = error instanceof ControlError ? error.status : 0
      if (status === 401) return onConnection('locked')
      if (status === 404) return onConnection('gone')
    }
    if (signal.aborted) return
    onConnection('lost')
    await new Promise((resolve) => setTimeout(resolve, retryMs))
  }
}

/**
 * Reads server-sent events from a stream until the stream ends. `EventSource` cannot be used,
 * because it cannot send a token.
 */
async function readEvents(
  stream: ReadableStream<Uint8Array>,
  onEvent: (event: string, data: unknown) => void,
): Promise<void> {
  const reader = stream.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    const blocks = (rest + decoder.decode(value, { stream: true })).split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const [, event = '', data = ''] = /^event: (.*)\ndata: (.*)$/.exec(block) ?? []
      if (event !== '') onEvent(event, JSON.parse(data))
    }
  }
}
