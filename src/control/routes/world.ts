import { z } from 'zod'
import type { ActionInput } from '../../actions/all-actions.ts'
import { ClockChange } from '../inputs.ts'
import { ReplayCommand, startReplayCommand } from '../replay-command.ts'
import { startClockChange } from '../clock-change.ts'
import { defineControlRoute, integer } from './route.ts'
import { FaultInput } from '../../world/fault-input.ts'
import { quoteText } from '../../errors.ts'
import { NotFoundError } from '../../api/check-input.ts'
import type { Control } from '../control.ts'

/** Routes that change the whole world: reset, clock, actions and story. */
export const worldRoutes = [
  defineControlRoute({
    id: 'POST /reset',
    summary:
      'Restore the seeded state: data, rate windows, faults, sessions and clock. Clears the ' +
      'journal and removes the checkpoint',
    skipsQueue: true,
    async run(control, { served }) {
      const { unfiredFaults } = await served.reset()
      return { ...control.state(), unfired_faults: unfiredFaults }
    },
  }),
  defineControlRoute({
    id: 'POST /clock',
    summary: 'Move, start or stop the clock',
    body: ClockChange,
    operation: 'advancing',
    async run(_, { body, served: { host } }) {
      const { clock } = host.use()
      const work = startClockChange(clock, body)
      if (work !== undefined) await host.queue.work(work)
      return clock.state()
    },
  }),
  defineControlRoute({
    id: 'POST /actions',
    summary: 'Apply one action, or several in order. If one fails, none is applied',
    body: z.unknown().describe('An action, or an array of up to 1,000.'),
    operation: 'acting',
    // Accepts any action here, because `control` validates each action with its own schema.
    run: (control, { body }) => control.act(body as ActionInput),
  }),
  defineControlRoute({
    id: 'GET /actions',
    summary: 'List all actions with the schemas of their fields',
    run: (control) => control.actions(),
  }),
  defineControlRoute({
    id: 'GET /happenings',
    summary: 'List the latest actions, chapters and notes, oldest first',
    query: z.strictObject({
      after: integer.describe('Only actions with an id above this value.'),
    }),
    run: (control, { query }) => control.happenings(query),
  }),
  defineControlRoute({
    id: 'POST /check',
    summary: 'Check that the records are consistent. Returns up to ten violations of each rule',
    operation: 'checking',
    run: (_, { served }) => served.check(),
  }),
  defineControlRoute({
    id: 'GET /replay',
    summary: 'Read the progress of the story',
    run: (control) => control.replay(),
  }),
  defineControlRoute({
    id: 'GET /story',
    summary: 'Read a summary of the story: title, chapters, and figures over time',
    run: (control) => control.story(),
  }),
  defineControlRoute({
    id: 'GET /story/client',
    summary: 'Read what the client of the story experiences. `client` is null if there is none now',
    run: async (control) => ({ client: await control.storyClient() }),
  }),
  defineControlRoute({
    id: 'POST /replay',
    summary: 'Play, pause, step, seek or stop the story, or change its speed',
    body: ReplayCommand,
    operation: 'seeking',
    async run(_, { body, served: { host } }) {
      const work = startReplayCommand(host.player, body)
      if (work !== undefined) await host.queue.work(work)
      return host.player.state()
    },
  }),
  defineControlRoute({
    id: 'GET /pulse',
    summary: 'Read the state that changes over time: clock, story, rate windows, sessions',
    run: (control) => control.pulse(),
  }),
]

/** Routes that add, list and remove faults. */
export const faultRoutes = [
  defineControlRoute({
    id: 'GET /faults',
    summary: 'List the active faults',
    run: (control) => control.faults.list(),
  }),
  defineControlRoute({
    id: 'POST /faults',
    summary: 'Add a fault',
    body: FaultInput,
    run: (control, { body }) => control.faults.add(body),
  }),
  defineControlRoute({
    id: 'DELETE /faults',
    summary: 'Remove all faults',
    run: (control) => ({ removed: control.faults.clear() }),
  }),
  defineControlRoute({
    id: 'DELETE /faults/:id',
    summary: 'Remove a fault',
    run: (control, { id }) => removeFault(control, id),
  }),
]

function removeFault(control: Control, id: string): { removed: number } {
  if (!/^\d{1,15}$/.test(id) || !control.faults.remove(Number(id))) {
    throw new NotFoundError(
      `Failed to remove the fault ${quoteText(id, 80)}: it does not exist. GET ` +
        `/_sandbox/faults lists them.`,
    )
  }
  return { removed: 1 }
}
