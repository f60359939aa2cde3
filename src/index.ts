export { describeRequests } from './runners/test-report.ts'
export { ApiError, SandboxError } from './errors.ts'
export { createSandbox } from './sandbox/create-sandbox.ts'
export { defineScenario } from './sandbox/create-sandbox.ts'

export type { ErrorCode } from './error-catalogue.ts'
export type { Audit, AuditSummary } from './audit/audit.ts'
export type { Cost } from './audit/cost.ts'
export type { ReceivedFilter } from './audit/request-filter.ts'
export type { Reported } from './runners/test-report.ts'
export type { Finding, Severity } from './audit/rule.ts'
export type { ActionResult, ActionResults } from './control/apply-actions.ts'
export type { Control, ExplainedEntry } from './control/control.ts'
export type { WorldSummary } from './control/world-list.ts'
export type { AuditQuery, Since } from './control/inputs.ts'
export type { DataPage } from './control/table-page.ts'
export type { ActionDescription } from './control/apply-actions.ts'
export type { FaultControl } from './control/fault-control.ts'
export type { Series, SeriesPoint } from './control/series.ts'
export type { Pulse, SandboxState } from './control/sandbox-state.ts'
export type { DoneAction } from './world/action-log.ts'
export type { Chat } from './resources/chats/chats.table.ts'
export type { Clock, ClockMode, ClockState } from './world/clock.ts'
export type { Comment } from './resources/comments/comments.table.ts'
export type { FanRecord } from './resources/fan-records/fan-records.table.ts'
export type { Subscription } from './resources/subscribers/subscriptions.table.ts'
export type { Fan } from './resources/fans/fans.table.ts'
export type { Fault } from './world/fault-input.ts'
export type { FakeTimers } from './world/fake-timers.ts'
export type { WorldCheck } from './world/invariant.ts'
export type { JournalEntry, JournalRow } from './world/journal/journal-entry.ts'
export type { LinkShare } from './resources/link-shares/link-shares.table.ts'
export type { MassMessage } from './resources/mass-messages/mass-messages.table.ts'
export type { Message } from './resources/messages/messages.table.ts'
export type { MomentInput } from './world/real-time.ts'
export type { Notification } from './resources/notifications/notifications.table.ts'
export type { Account, ApiKey, Organisation } from './world/tenancy/tenancy.table.ts'
export type { Payout } from './resources/payouts/payouts.table.ts'
export type { PostLabel } from './resources/labels/labels.table.ts'
export type { Post } from './resources/posts/posts.table.ts'
export type { Referral } from './resources/referrals/referrals.table.ts'
export type { VariationName } from './world/variation-choice.ts'
export type { WorldChangesJson, WorldJson } from './world/snapshot/snapshot.ts'
export type { Story } from './resources/stories/stories.table.ts'
export type { Table } from './data/table.ts'
export type { MadeFields, Make, OpenTables as Tables, RecordMaker } from './resources/make.ts'
export type { FieldsOf } from './resources/traits.ts'
export type {
  Survival,
  SurvivalFailure,
  SurvivalResult,
  SurviveOptions,
} from './variation/survival.ts'
export type { RecordOf, TableName } from './resources/all-tables.ts'
export type { Tag } from './resources/tags/tags.table.ts'
export type { TrackingLink } from './resources/tracking-links/tracking-links.table.ts'
export type { Transaction } from './resources/payments/transactions.table.ts'
export type { TrialLink } from './resources/trial-links/trial-links.table.ts'
export type { UserList } from './resources/user-lists/user-lists.table.ts'
export type { VaultList, VaultMedia } from './resources/vault/vault.table.ts'
export type {
  AccountData,
  ActionInput,
  ActionType,
  Chapter,
  ClockChange,
  DataQuery,
  ExtendedScenario,
  FaultInput,
  FaultStatus,
  PlayOptions,
  ReplayCommand,
  RequestFilter,
  Role,
  RouteId,
  RouteName,
  SandboxOptions,
  Scenario,
  ScenarioChoice,
  ScenarioName,
  ScenarioPath,
  ScenarioRecords,
  SeriesQuery,
  SiteOptions,
} from './generated/inputs.ts'
export type { SentRequest } from './audit/sent-request.ts'
export type { SandboxEvents } from './audit/sandbox-events.ts'
export type { Call, Reply } from './api/route.ts'
export type { Keys } from './control/sandbox-state.ts'
export type { Sandbox } from './sandbox/sandbox.ts'
export type { ReplayState } from './scenario/player.ts'
export type { LoadableScenario, ScenarioSummary } from './scenario/summary.ts'
export type { SettledOptions } from './audit/received-requests.ts'
