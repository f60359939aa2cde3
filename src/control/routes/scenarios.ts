import { z } from 'zod'
import { ScenarioName } from '../../scenario/schema.ts'
import type { Control } from '../control.ts'
import { ScenarioChoice, SnapshotForm, SnapshotNaming, WorldChoice } from '../inputs.ts'
import { maxSnapshotRows, enforceRowLimit } from '../row-limit.ts'
import { defineControlRoute } from './route.ts'

/** Routes for snapshots, scenarios and recordings. */
export const scenarioRoutes = [
  defineControlRoute({
    id: 'GET /snapshot',
    summary: 'Export the whole world as JSON, or only the changes since the data was loaded',
    query: SnapshotForm,
    run(control, { query: { form = 'whole' } }) {
      if (form === 'whole')
        enforceRowLimit(countAllRecords(control), {
          max: maxSnapshotRows,
          verb: 'write the whole snapshot',
          advice: 'Use ?form=changes, or sandbox.snapshot() in the process.',
        })
      return control.snapshot({ form })
    },
  }),
  defineControlRoute({
    id: 'PUT /snapshot',
    summary: 'Restore a snapshot',
    body: z.unknown().describe('The response of `GET /_sandbox/snapshot`.'),
    isLarge: true,
    skipsQueue: true,
    run: (control, { body }) => control.restore(body).then(() => control.state()),
  }),
  defineControlRoute({
    id: 'POST /snapshots',
    summary:
      'Save the current changes as a snapshot. A world keeps up to 20 named snapshots and ' +
      'the last five unnamed ones',
    body: SnapshotNaming,
    isBodyOptional: true,
    run: (control, { body }) => control.keepSnapshot(body),
  }),
  defineControlRoute({
    id: 'GET /snapshots',
    summary: 'List the named snapshots, oldest first',
    run: (control) => control.snapshots(),
  }),
  defineControlRoute({
    id: 'POST /snapshots/:id',
    summary: 'Restore a named snapshot',
    skipsQueue: true,
    run: (control, { id }) => control.restoreSnapshot(id).then(() => control.state()),
  }),
  defineControlRoute({
    id: 'DELETE /snapshots/:id',
    summary: 'Remove a named snapshot',
    run(control, { id }) {
      control.removeSnapshot(id)
      return { removed: 1 }
    },
  }),
  defineControlRoute({
    id: 'GET /scenario',
    summary: 'Export the current world as a YAML scenario that starts with its records',
    query: z.strictObject({
      name: ScenarioName.optional().describe('The name of the scenario. Default: `present`.'),
    }),
    run(control, { query }) {
      enforceRowLimit(countAllRecords(control), {
        max: maxSnapshotRows,
        verb: 'write a scenario of the world',
        advice:
          'Take a snapshot with ?form=changes, or use control.presentScenario() in the process.',
      })
      return control.presentScenario(query)
    },
  }),
  defineControlRoute({
    id: 'GET /recording',
    summary: 'Read the state of the recording: start time and number of steps',
    run: (control) => control.recording(),
  }),
  defineControlRoute({
    id: 'POST /recording',
    summary: 'Start recording actions and the requests of clients',
    run: (control) => control.startRecording(),
  }),
  defineControlRoute({
    id: 'DELETE /recording',
    summary:
      'End the recording. Returns a YAML scenario. Playing the scenario recreates the ' +
      'recorded world',
    query: z.strictObject({
      name: ScenarioName.optional().describe('The name of the scenario. Default: `recorded`.'),
    }),
    run: (control, { query }) => control.stopRecording(query),
  }),
  defineControlRoute({
    id: 'GET /scenarios',
    summary: 'List the scenarios that can be loaded by name',
    uses: () => [],
    run: (control) => control.scenarios(),
  }),
  defineControlRoute({
    id: 'PUT /scenario',
    summary: 'Replace the current scenario with another one',
    body: ScenarioChoice,
    skipsQueue: true,
    run: (control, { body }) => control.loadScenario(body).then(() => control.state()),
  }),
]

function countAllRecords(control: Control): number {
  return Object.values(control.tables()).reduce((sum, count) => sum + count, 0)
}

/** Routes that list, create and remove isolated worlds. */
export const isolatedWorldRoutes = [
  defineControlRoute({
    id: 'GET /worlds',
    summary: 'List the isolated worlds',
    uses: () => [],
    run: (control) => control.worlds(),
  }),
  defineControlRoute({
    id: 'POST /worlds',
    summary: 'Create an isolated world in the seeded state, or as a copy of the current one',
    body: WorldChoice,
    isBodyOptional: true,
    uses({ body, world }) {
      const { name, fork } = (body ?? {}) as WorldChoice
      const source = fork === true || world !== undefined ? [world] : []
      return name === undefined ? source : [...source, name]
    },
    run: (control, { body }) => control.createWorld(body),
  }),
  defineControlRoute({
    id: 'DELETE /worlds/:id',
    summary: 'Remove an isolated world',
    uses: ({ id }) => [id],
    run(control, { id }) {
      control.removeWorld(id)
      return { removed: 1 }
    },
  }),
]
