import type { Call, Reply, Route } from './route.ts'

/** A request before it is varied. */
export interface SentRequestState {
  /** The call as the client sent it. */
  sent: Call
  route: Route | undefined
}

/** A request with the variation applied. */
export interface VariedRequest {
  /** The varied call, to pass to the routes. */
  call: Call
  /** Applies the variation to the response. */
  toReply: (reply: Reply) => Reply
}

/** Varies the requests and responses of a world. */
export interface Variator {
  start: (request: SentRequestState) => Promise<VariedRequest>
  /** Number of requests that were changed. */
  readonly changed: number
}
