import type { Control } from '../control/control.ts'

/** What changes as time goes on. */
export type Pulse = ReturnType<Control['pulse']>
/** Scenario, keys, accounts, and how many records there are. */
export type About = ReturnType<Control['state']>
/** An action with the schema of its fields. */
export type ActionDescription = ReturnType<Control['actions']>[number]
/** Figures over sandbox time. */
export type Series = ReturnType<Control['series']>
export type SeriesPoint = Series['points'][number]
/** How far the story is. */
export type Replay = Pulse['replay']
/** An action that was done. */
export type Happening = ReturnType<Control['happenings']>[number]
/** A request of the journal, with all that was sent and answered. */
export type Entry = ReturnType<Control['requests']>[number]
/** A line of the journal. */
export type Row = ReturnType<Control['requestRows']>[number]
export type Fault = ReturnType<Control['faults']['list']>[number]
export type Scenario = ReturnType<Control['scenarios']>[number]
export type Applied = ReturnType<Control['act']>
export type DataPage = ReturnType<Control['data']>

/** What the event `requests` tells: how many there are, how many of the new ones are not in the list, and the newest. */
export interface NewRequests {
  total: number
  missed: number
  list: readonly Row[]
}
