import { z } from 'zod'
import { ScenarioName } from '../../scenario/name.ts'
import type { Control } from '../control.ts'
import { ScenarioChoice, SnapshotForm, SnapshotNaming } from '../inputs.ts'
import { maxSnapshotRows, requireFewRows } from '../row-limit.ts'
import { defineControlRoute } from './route.ts'

/** Routes of snapshots, scenarios and recordings. */
export const scenarioRoutes = [
  defineControlRoute({
    method: 'GET',
    path: '/snapshot',
    summary: 'The whole world as JSON, or its changes since the data were loaded',
    query: SnapshotForm,
    run(control, { query: { form = 'whole' } }) {
      if (form === 'whole')
        requireFewRows(countAll(control), {
          max: maxSnapshotRows,
          verb: 'write the whole snapshot',
          advice: 'Ask for ?form=changes, or use sandbox.snapshot() in process.',
        })
      return control.snapshot({ form })
    },
  }),
  defineControlRoute({
    method: 'PUT',
    path: '/snapshot',
    summary: 'Go back to a snapshot',
    body: z.unknown().describe('What `GET /_sandbox/snapshot` answered.'),
    isLarge: true,
    skipsQueue: true,
    run: (control, { body }) => control.restore(body).then(() => control.state()),
  }),
  defineControlRoute({
    method: 'POST',
    path: '/snapshots',
    summary:
      'Keep the present changes as a snapshot: at most 20 named ones in a world, and the last five ' +
      'without a name',
    body: SnapshotNaming,
    isBodyOptional: true,
    run: (control, { body }) => control.keepSnapshot(body),
  }),
  defineControlRoute({
    method: 'GET',
    path: '/snapshots',
    summary: 'The kept snapshots, oldest first',
    run: (control) => control.snapshots(),
  }),
  defineControlRoute({
    method: 'POST',
    path: '/snapshots/:id',
    summary: 'Go back to a kept snapshot',
    skipsQueue: true,
    run: (control, { id }) => control.restoreSnapshot(id).then(() => control.state()),
  }),
  defineControlRoute({
    method: 'DELETE',
    path: '/snapshots/:id',
    summary: 'Remove a kept snapshot',
    run(control, { id }) {
      control.removeSnapshot(id)
      return { removed: 1 }
    },
  }),
  defineControlRoute({
    method: 'GET',
    path: '/scenario',
    summary: 'The current world as a scenario in YAML, which starts with these records',
    query: z.strictObject({
      name: ScenarioName.optional().describe('The name of the scenario. Default: `present`.'),
    }),
    run(control, { query }) {
      requireFewRows(countAll(control), {
        max: maxSnapshotRows,
        verb: 'write a scenario of the world',
        advice: 'Take a snapshot with ?form=changes, or use control.presentScenario() in process.',
      })
      return control.presentScenario(query)
    },
  }),
  defineControlRoute({
    method: 'GET',
    path: '/recording',
    summary: 'State of the recording: its start, and its number of steps',
    run: (control) => control.recording(),
  }),
  defineControlRoute({
    method: 'POST',
    path: '/recording',
    summary: 'Start to record actions and the requests of clients',
    run: (control) => control.startRecording(),
  }),
  defineControlRoute({
    method: 'DELETE',
    path: '/recording',
    summary: 'End the recording. Returns it as a scenario in YAML, which plays to the same world',
    query: z.strictObject({
      name: ScenarioName.optional().describe('The name of the scenario. Default: `recorded`.'),
    }),
    run: (control, { query }) => control.stopRecording(query),
  }),
  defineControlRoute({
    method: 'GET',
    path: '/scenarios',
    summary: 'The scenarios that can be loaded by name',
    uses: () => [],
    run: (control) => control.scenarios(),
  }),
  defineControlRoute({
    method: 'PUT',
    path: '/scenario',
    summary: 'Replace the current scenario by another one',
    body: ScenarioChoice,
    skipsQueue: true,
    run: (control, { body }) => control.loadScenario(body).then(() => control.state()),
  }),
]

function countAll(control: Control): number {
  return Object.values(control.tables()).reduce((sum, count) => sum + count, 0)
}
