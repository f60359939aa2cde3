import type { Control } from './control.ts'
import type { ServedWorld } from './served-world.ts'

/** Sends text to a client. */
export type Send = (text: string) => void

/** Interval between two polls of the world, real ms. */
const pauseMs = 250
/** Number of polls without news after which a comment keeps proxies from closing the connection. */
const quietTurns = 60
/** Maximum number of requests in one event. The event also says how many more there were. */
const maxRequests = 50

/**
 * Sends server-sent events to a client until the returned function is called. The events are
 * `clock` (time, story, rate windows, sessions), `requests` and `actions`. After a rewind, an empty
 * list of actions comes first, and then all remaining ones. The function polls the world four times
 * a second, so that events add no cost to requests. It calls `end` if the world is removed.
 */
export function openEvents(world: ServedWorld, send: Send, end: () => void = () => {}): () => void {
  const { control } = world
  let sent = control.positions()
  let sentPulse = ''
  let turnsWithoutEvent = 0
  const sendEvent = (event: string, data: string) => {
    turnsWithoutEvent = 0
    send(`event: ${event}\ndata: ${data}\n\n`)
  }
  const sendPulse = (pulse: string) => {
    if (pulse !== sentPulse) sendEvent('clock', pulse)
    sentPulse = pulse
  }
  const sendActions = ({ lastAction, rewinds }: Positions) => {
    // Another scenario restarts the ids of actions.
    const isRewound = rewinds !== sent.rewinds || lastAction < sent.lastAction
    if (isRewound) sendEvent('actions', '[]')
    const after = isRewound ? 0 : sent.lastAction
    const list = lastAction === after ? [] : control.happenings({ after })
    if (list.length > 0) sendEvent('actions', JSON.stringify(list))
  }
  const sendRequests = ({ lastRequest: total, emptied }: Positions) => {
    const isEmptied = emptied !== sent.emptied || total < sent.lastRequest
    if (total === sent.lastRequest && !isEmptied) return
    // Ids start again in an emptied journal.
    const after = isEmptied ? 0 : sent.lastRequest
    const list = control.requestRows({ limit: Math.min(maxRequests, total - after) })
    sendEvent(
      'requests',
      JSON.stringify({ total, missed: total - after - list.length, list, isEmptied }),
    )
  }
  let isWaiting = false
  const look = () => {
    if (control.isClosed()) {
      clearInterval(timer)
      return end()
    }
    if (world.operation !== null || !world.hasDueEffects) return tell()
    if (isWaiting) return
    isWaiting = true
    const isOver = () => {
      isWaiting = false
    }
    world.run(null, tell).then(isOver, isOver)
  }
  const tell = () => {
    const pulse = JSON.stringify(control.pulse())
    const positions = control.positions()
    turnsWithoutEvent += 1
    sendPulse(pulse)
    sendActions(positions)
    sendRequests(positions)
    sent = positions
    if (turnsWithoutEvent > quietTurns) {
      turnsWithoutEvent = 0
      send(': still here\n\n')
    }
  }
  const timer = setInterval(look, pauseMs)
  look()
  return () => clearInterval(timer)
}

type Positions = ReturnType<Control['positions']>
