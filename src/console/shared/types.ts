import type { ActionResult } from '../../control/apply-actions.ts'
import type { Control } from '../../control/control.ts'

/** The state that the event stream sends. */
export type Pulse = ReturnType<Control['pulse']>
/** Scenario, keys, accounts, and the number of records. */
export type About = ReturnType<Control['state']>
/** An action with the schema of its fields. */
export type ActionDescription = ReturnType<Control['actions']>[number]
/** Figures over sandbox time. */
export type Series = ReturnType<Control['series']>
export type SeriesPoint = Series['points'][number]
/** The state of the story. */
export type Replay = Pulse['replay']
/** The title, chapters and figures of the story. */
export type StorySummary = ReturnType<Control['story']>
/** A figure of the story over story time. */
export type TrackedFigure = StorySummary['watch'][number]
/** The mistakes of clients and the cost of their requests. */
export type Audit = Awaited<ReturnType<Control['audit']>>
export type WorldSummary = ReturnType<Control['worlds']>[number]
/** An action that was applied. */
export type AppliedAction = ReturnType<Control['happenings']>[number]
/** A request of the journal with its bodies. */
export type Entry = ReturnType<Control['requests']>[number]
/**
 * A request of the journal with its bodies, and an explanation of why the list in its response is
 * empty or short.
 */
export type ExplainedEntry = Awaited<ReturnType<Control['request']>>
/** A request of the journal without its bodies. */
export type Row = ReturnType<Control['requestRows']>[number]
/** A request of the journal without its bodies, with its world. Used in a list of all worlds. */
export type WorldRow = ReturnType<Control['requestRowsOfAllWorlds']>[number]
export type Fault = ReturnType<Control['faults']['list']>[number]
export type Scenario = ReturnType<Control['scenarios']>[number]
/** The result of an action. */
export type ActionReport = ActionResult
/** A record with the references to and from it. */
export type RecordView = ReturnType<Control['record']>
/** The records that have changed since an earlier state. */
export type Changes = ReturnType<Control['changes']>
/** The current world as a scenario. */
export type PresentScenario = Awaited<ReturnType<Control['presentScenario']>>
export type RecordedScenario = Awaited<ReturnType<Control['stopRecording']>>
/** The state of the recording. */
export type RecordingState = ReturnType<Control['recording']>
/** A snapshot that is saved on the server. */
export type KeptSnapshot = ReturnType<Control['snapshots']>[number]
export type DataPage = ReturnType<Control['data']>

/**
 * The data of the event `requests`. `missed` is the number of new requests that are not in the
 * list.
 */
export interface NewRequests {
  total: number
  missed: number
  list: readonly Row[]
  /** True if the journal was cleared after the last event, so that ids started at 1 again. */
  isEmptied: boolean
}
