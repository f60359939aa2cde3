import { z } from 'zod'
import type { ActionInput } from '../actions/index.ts'
import { ClockChange } from '../inputs.ts'
import { ReplayCommand } from '../replay.ts'
import { defineControlRoute, createIntegerSchema } from './route.ts'

/** Routes that change the whole world: reset, clock, actions and story. */
export const worldRoutes = [
  defineControlRoute({
    method: 'POST',
    path: '/reset',
    summary: 'Restore the seeded state: data, rate windows, faults, sessions, clock, journal',
    skipsQueue: true,
    async run(control) {
      const { unfiredFaults } = await control.reset()
      return { ...control.state(), unfired_faults: unfiredFaults }
    },
  }),
  defineControlRoute({
    method: 'POST',
    path: '/clock',
    summary: 'Move the clock',
    body: ClockChange,
    operation: 'advancing',
    run: (_, { body, served }) => served.changeClock(body),
  }),
  defineControlRoute({
    method: 'POST',
    path: '/actions',
    summary: 'Apply one action, or several in order. If one fails, none is applied',
    body: z.unknown().describe('An action, or an array of up to 1,000.'),
    operation: 'acting',
    // The control checks each action with its own schema.
    run: (control, { body }) => control.act(body as ActionInput),
  }),
  defineControlRoute({
    method: 'GET',
    path: '/actions',
    summary: 'All actions, with the schemas of their fields',
    run: (control) => control.actions(),
  }),
  defineControlRoute({
    method: 'GET',
    path: '/happenings',
    summary: 'The latest actions, oldest first',
    query: z.strictObject({
      after: createIntegerSchema(0, Number.MAX_SAFE_INTEGER)
        .optional()
        .describe('Only actions with a larger id.'),
    }),
    run: (control, { query }) => control.happenings(query),
  }),
  defineControlRoute({
    method: 'POST',
    path: '/check',
    summary:
      'Check that the records are consistent. Returns each invariant with its first ten violations',
    operation: 'checking',
    run: (_, { served }) => served.check(),
  }),
  defineControlRoute({
    method: 'GET',
    path: '/replay',
    summary: 'Progress of the story of the scenario',
    run: (control) => control.replay(),
  }),
  defineControlRoute({
    method: 'GET',
    path: '/story',
    summary: 'Summary of the story: title, chapters, and its figures over time',
    run: (control) => control.story(),
  }),
  defineControlRoute({
    method: 'POST',
    path: '/replay',
    summary: 'Control the story of the scenario',
    body: ReplayCommand,
    operation: 'seeking',
    run: (_, { body, served }) => served.replay(body),
  }),
  defineControlRoute({
    method: 'GET',
    path: '/pulse',
    summary: 'State that changes over time: clock, story, rate windows, sessions',
    run: (control) => control.pulse(),
  }),
]
