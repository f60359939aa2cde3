import type { Control } from './control.ts'

/** Takes text for a client. */
export type Send = (text: string) => void

/** How often a client is told what is new, real ms. */
const pauseMs = 250
/** After so many quiet turns a comment keeps proxies from hanging up. */
const quietTurns = 60
/** How many requests are shown at once; when more were made in between, the client is told how many. */
const mostRequests = 50

/**
 * Tells a client what happens, as server-sent events, until the function that it returns is called: `clock` (time, story, windows,
 * sessions), `requests` and `actions`; where actions were dropped, an empty list of them and then all that are left. It looks at the
 * world four times a second, so that requests cost nothing more. `end` hangs up when the world is removed.
 */
export function openEvents(control: Control, send: Send, end: () => void = () => {}): () => void {
  const { lastRequest, lastAction, rewinds } = control.positions()
  let [requestId, actionId, rewound, shown, quiet] = [lastRequest, lastAction, rewinds, '', 0]
  const look = () => {
    if (control.isClosed()) {
      clearInterval(timer)
      return end()
    }
    const now = JSON.stringify(control.pulse())
    const positions = control.positions()
    quiet += 1
    if (now !== shown) tell('clock', (shown = now))
    // Another scenario counts its actions anew.
    if (positions.rewinds !== rewound || positions.lastAction < actionId) {
      tell('actions', '[]')
      rewound = positions.rewinds
      actionId = 0
    }
    if (positions.lastAction !== actionId) {
      const list = control.happenings({ after: actionId })
      if (list.length > 0) tell('actions', JSON.stringify(list))
      actionId = positions.lastAction
    }
    if (positions.lastRequest !== requestId) {
      // A journal that was emptied begins anew.
      const after = positions.lastRequest < requestId ? 0 : requestId
      const list = control.requestRows({ limit: Math.min(mostRequests, positions.lastRequest - after) })
      tell('requests', JSON.stringify({ total: positions.lastRequest, missed: positions.lastRequest - after - list.length, list }))
      requestId = positions.lastRequest
    }
    if (quiet > quietTurns) {
      quiet = 0
      send(': still here\n\n')
    }
  }
  const tell = (event: string, data: string) => {
    quiet = 0
    send(`event: ${event}\ndata: ${data}\n\n`)
  }
  const timer = setInterval(look, pauseMs)
  look()
  return () => clearInterval(timer)
}
