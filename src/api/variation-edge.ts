import type { Call, Reply, Route } from './route.ts'

/** A request that comes to the edge. */
export interface Asked {
  /** The call as the client sent it. */
  sent: Call
  route: Route | undefined
}

/** The way of a request through the edge. */
export interface Passage {
  /** The call as the routes get it; with a `refusal` they do not. */
  call: Call
  /** The answer as the client gets it. */
  leave: (reply: Reply) => Reply
}

/** What stands between the clients and the routes of a world, and changes what passes. */
export interface Edge {
  pass: (asked: Asked) => Promise<Passage>
  /** How many requests it changed. */
  readonly changed: number
}
