import type { Call, Reply, Route } from './route.ts'

/** A request before variation. */
export interface SentRequestState {
  /** The call as the client sent it. */
  sent: Call
  route: Route | undefined
}

/** A request after variation. */
export interface VariedRequest {
  /** The call for the routes. It is ignored if there is a `refusal`. */
  call: Call
  /** Varies the response. */
  toReply: (reply: Reply) => Reply
}

/** Varies the requests and responses of a world. */
export interface Variator {
  start: (request: SentRequestState) => Promise<VariedRequest>
  /** Number of changed requests. */
  readonly changed: number
}
