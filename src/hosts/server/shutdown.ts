import type { RequestListener, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { runInConnectionOrder } from '../node.ts'

/** Grace period for requests in flight while the server closes, ms. */
const graceMs = 5_000

/** Maximum number of pipelined requests that wait on a connection. */
const maxPipelined = 1_000

/** Graceful shutdown of a server. */
interface Shutdown {
  /** Tracks the server's connections, so that `close` can end them. */
  watch: (server: Server) => void
  /** Wraps the listener. While the server is closing, new requests get a 503. */
  listen: (listener: RequestListener) => RequestListener
  /**
   * Stops accepting connections, and resolves when all of them are closed. Complete requests have 5
   * seconds to finish. Connections that are idle, stream events or have an incomplete request close
   * immediately.
   */
  close: (server: Server) => Promise<void>
}

/**
 * Creates the graceful shutdown of a server. The caller must pass the server to `watch` and wrap
 * its listener with `listen`.
 */
export function createShutdown(): Shutdown {
  const sockets = new Map<Socket, Set<ServerResponse>>()
  let isClosing = false
  // One function for all requests, to avoid a closure per request.
  function forget(this: ServerResponse): void {
    const { socket } = this.req
    const running = sockets.get(socket)
    running?.delete(this)
    // Closes the connection even if an earlier response contained a keep-alive header.
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
      // Ignores requests from a rejected connection.
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
      if (isClosing) rejectRequest(response)
      else runInConnectionOrder(response, () => listener(request, response))
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
          const left = [...responses].filter(isInProgress)
          for (const response of left) announceEnd(response)
          if (left.length === 0) socket.destroy()
        }
      })
    },
  }
}

/** True if a request has been received completely or is being processed. */
function isInProgress(response: ServerResponse): boolean {
  return response.req.complete || response.headersSent
}

function announceEnd(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('connection', 'close')
  // Only event streams are still open at this point, because all other responses are written in one
  // call.
  else if (!response.writableEnded) response.end()
}

/** Responds with 503, so that load balancers and clients try another server or retry later. */
function rejectRequest(response: ServerResponse): void {
  const body = JSON.stringify({
    error: 'The server is shutting down. Try again after it has restarted.',
  })
  response
    .writeHead(503, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': body.length,
      connection: 'close',
    })
    .end(body)
}
