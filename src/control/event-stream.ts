import type { Control } from './control.ts'
import type { ServedWorld } from './served-world.ts'
import { isError } from '../lib/realms.ts'

/** Sends text to a client. */
export type Send = (text: string) => void

/** Interval at which the world is polled, ms of real time. */
const pauseMs = 250
/**
 * Number of polls without an event after which a comment is sent, so that proxies keep the
 * connection open.
 */
const maxQuietPolls = 60
/**
 * Maximum number of requests in one event. The event also contains the number of omitted requests.
 */
const maxRequests = 50

/**
 * Sends server-sent events to a client until the returned function is called. The events are
 * `clock` (time, story, rate windows, sessions), `requests` and `actions`, and `problem` with a
 * message if the world cannot be read. After a rewind, an empty list of actions is sent, then all
 * remaining actions. The world is polled four times a second, so events do not slow down requests.
 * Calls `end` if the world is removed.
 */
export function streamEvents(
  world: ServedWorld,
  send: Send,
  end: () => void = () => {},
): () => void {
  const { control } = world
  let sent = control.positions()
  let sentPulse = ''
  let pollsWithoutEvent = 0
  const sendEvent = (event: string, data: string) => {
    pollsWithoutEvent = 0
    send(`event: ${event}\ndata: ${data}\n\n`)
  }
  const sendPulse = (pulse: string) => {
    if (pulse !== sentPulse) sendEvent('clock', pulse)
    sentPulse = pulse
  }
  const sendActions = ({ lastAction, rewinds }: EventPositions) => {
    // Loading another scenario restarts action ids at 1.
    const isRewound = rewinds !== sent.rewinds || lastAction < sent.lastAction
    if (isRewound) sendEvent('actions', '[]')
    const after = isRewound ? 0 : sent.lastAction
    const list = lastAction === after ? [] : control.happenings({ after })
    if (list.length > 0) sendEvent('actions', JSON.stringify(list))
  }
  const sendRequests = ({ lastRequest: total, keptRequests: kept, emptied }: EventPositions) => {
    const isEmptied = emptied !== sent.emptied || total < sent.lastRequest
    if (total === sent.lastRequest && !isEmptied) return
    // Clearing the journal restarts request ids at 1.
    const after = isEmptied ? 0 : sent.lastRequest
    const list = control.requestRows({ limit: Math.min(maxRequests, total - after) })
    sendEvent(
      'requests',
      JSON.stringify({ total, kept, missed: total - after - list.length, list, isEmptied }),
    )
  }
  let isWaiting = false
  // Reports errors to the client, because an error of a timer would end the process.
  const poll = () => {
    void look().catch((error: unknown) =>
      sendEvent('problem', JSON.stringify(isError(error) ? error.message : String(error))),
    )
  }
  const look = async () => {
    if (control.isClosed()) {
      clearInterval(timer)
      return end()
    }
    if (world.operation !== null || !world.hasDueEffects) return sendNews()
    if (isWaiting) return
    isWaiting = true
    try {
      await world.run(null, sendNews)
    } finally {
      isWaiting = false
    }
  }
  const sendNews = () => {
    const pulse = JSON.stringify(control.pulse())
    const positions = control.positions()
    pollsWithoutEvent += 1
    sendPulse(pulse)
    sendActions(positions)
    sendRequests(positions)
    sent = positions
    if (pollsWithoutEvent > maxQuietPolls) {
      pollsWithoutEvent = 0
      send(': keep-alive\n\n')
    }
  }
  const timer = setInterval(poll, pauseMs)
  poll()
  return () => clearInterval(timer)
}

type EventPositions = ReturnType<Control['positions']>
