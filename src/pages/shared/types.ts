import type { ActionResult } from '../../control/apply-actions.ts'
import type { Control } from '../../control/control.ts'

/** State sent by the event stream. */
export type Pulse = ReturnType<Control['pulse']>
/** Scenario, keys, accounts and record counts. */
export type About = ReturnType<Control['state']>
/** An action with the schema of its fields. */
export type ActionDescription = ReturnType<Control['actions']>[number]
/** Revenue, subscribers and requests over sandbox time. */
export type Series = ReturnType<Control['series']>
export type SeriesPoint = Series['points'][number]
/** State of the story. */
export type Replay = Pulse['replay']
/** Title, chapters and tracked values of the story. */
export type StorySummary = ReturnType<Control['story']>
/** What the client of the story experiences. */
export type StoryClientState = NonNullable<Awaited<ReturnType<Control['storyClient']>>>
/** Value that the story tracks over story time. */
export type TrackedFigure = StorySummary['watch'][number]
/** Client mistakes and the cost of the requests. */
export type Audit = Awaited<ReturnType<Control['audit']>>
export type WorldSummary = ReturnType<Control['worlds']>[number]
/** An action that was applied. */
export type AppliedAction = ReturnType<Control['happenings']>[number]
/** Number of requests since the journal was cleared, and how many of them it still stores. */
export type RequestCounts = About['requests']
/** A journal entry with its bodies. */
export type Entry = ReturnType<Control['requests']>[number]
/** A journal entry with its bodies and, if its list is empty or short, the reason. */
export type ExplainedEntry = Awaited<ReturnType<Control['request']>>
/** A journal entry without its bodies. */
export type Row = ReturnType<Control['requestRows']>[number]
/** A journal entry without its bodies but with its world, for lists of all worlds. */
export type WorldRow = ReturnType<Control['requestRowsOfAllWorlds']>[number]
export type Fault = ReturnType<Control['faults']['list']>[number]
export type Scenario = ReturnType<Control['scenarios']>[number]
/** The result of an action. */
export type ActionReport = ActionResult
/** A record with the references to and from it. */
export type RecordView = ReturnType<Control['record']>
/** Records that changed since an earlier state. */
export type Changes = ReturnType<Control['changes']>
/** The current world, written as a scenario. */
export type PresentScenario = Awaited<ReturnType<Control['presentScenario']>>
export type RecordedScenario = Awaited<ReturnType<Control['stopRecording']>>
/** State of the recording of actions and requests. */
export type RecordingState = ReturnType<Control['recording']>
/** A snapshot stored on the server. */
export type KeptSnapshot = ReturnType<Control['snapshots']>[number]
/** An API route with its description in one line. */
export type RouteSummary = ReturnType<Control['routeSummaries']>[number]
export type DataPage = ReturnType<Control['data']>

/** Data of the event `requests`. `missed` is the number of new requests that the list omits. */
export interface NewRequests {
  total: number
  /** Number of requests that the journal still stores. */
  kept: number
  missed: number
  list: readonly Row[]
  /** True if the journal was cleared since the last event, so that ids restarted at 1. */
  isEmptied: boolean
}
