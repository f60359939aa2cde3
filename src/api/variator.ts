import type { Call, Reply, Route } from './route.ts'

/** A request before the variation. */
export interface SentRequestState {
  /** The call as the client sent it. */
  sent: Call
  route: Route | undefined
}

/** A request with its variation. */
export interface VariedRequest {
  /** The call that the routes get. With a `refusal` they do not get it. */
  call: Call
  /** Varies the answer. */
  toReply: (reply: Reply) => Reply
}

/** Varies the requests to a world and their answers. */
export interface Variator {
  start: (request: SentRequestState) => Promise<VariedRequest>
  /** The number of requests that it changed. */
  readonly changed: number
}
