import type { RequestListener, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { inOrder } from '../node.ts'

/** How long requests under way may take to finish once the server closes, ms. */
const graceMs = 5_000

/** Maximum number of requests that wait on one connection. */
const maxPipelined = 1_000

/** Ends a server in order. */
interface Closing {
  /** Keeps an eye on the connections of the server. */
  watch: (server: Server) => void
  /**
   * Answers with the listener, until the server closes; then what still comes on open connections
   * gets 503.
   */
  listen: (listener: RequestListener) => RequestListener
  /**
   * Takes no more connections, lets requests that have arrived whole finish, for 5 seconds at most,
   * and resolves when all connections are closed. It waits neither for requests of which a part is
   * missing, nor for idle connections and event streams.
   */
  close: (server: Server) => Promise<void>
}

/** Makes what ends a server: it has to see each request and connection. */
export function createClosing(): Closing {
  const sockets = new Map<Socket, Set<ServerResponse>>()
  let isClosing = false
  // One function for all of them: what is made for each request has to be cleared up again.
  function forget(this: ServerResponse): void {
    const { socket } = this.req
    const running = sockets.get(socket)
    running?.delete(this)
    // An answer that began before the closing may have promised that the connection stays open.
    if (isClosing && running?.size === 0) socket.destroySoon()
  }
  return {
    watch(server) {
      server.on('connection', (socket: Socket) => {
        sockets.set(socket, new Set())
        socket.once('close', () => sockets.delete(socket))
      })
    },
    listen: (listener) => (request, response) => {
      // A connection that was refused still reads: its requests are not carried out.
      if (request.socket.writableEnded) {
        request.socket.destroySoon()
        return
      }
      const running = sockets.get(request.socket)
      if (running !== undefined && running.size >= maxPipelined) {
        request.socket.destroy()
        return
      }
      running?.add(response)
      response.on('close', forget)
      if (isClosing) refuse(response)
      else inOrder(response, () => listener(request, response))
    },
    close(server) {
      isClosing = true
      return new Promise((resolve) => {
        const grace = setTimeout(() => {
          for (const socket of sockets.keys()) socket.destroy()
        }, graceMs)
        server.close(() => {
          clearTimeout(grace)
          resolve()
        })
        for (const [socket, responses] of sockets) {
          const left = [...responses].filter(isWorthWaiting)
          for (const response of left) announceEnd(response)
          if (left.length === 0) socket.destroy()
        }
      })
    },
  }
}

/** Whether a request under way has arrived whole, or is being answered: then it is to finish. */
function isWorthWaiting(response: ServerResponse): boolean {
  return response.req.complete || response.headersSent
}

function announceEnd(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('connection', 'close')
  // Answers are written at once: what has begun and is still open is an event stream, which has no
  // end of its own.
  else if (!response.writableEnded) response.end()
}

/** What load balancers and clients take for: try another server, or this one later. */
function refuse(response: ServerResponse): void {
  const body = JSON.stringify({ error: 'The server is shutting down. Try again when it is back.' })
  response
    .writeHead(503, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': body.length,
      connection: 'close',
    })
    .end(body)
}
