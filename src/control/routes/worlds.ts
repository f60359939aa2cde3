import { WorldChoice } from '../inputs.ts'
import { defineControlRoute } from './route.ts'

/** Routes that list, create and remove isolated worlds. */
export const isolatedWorldRoutes = [
  defineControlRoute({
    method: 'GET',
    path: '/worlds',
    summary: 'List the isolated worlds',
    uses: () => [],
    run: (control) => control.worlds(),
  }),
  defineControlRoute({
    method: 'POST',
    path: '/worlds',
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
    method: 'DELETE',
    path: '/worlds/:id',
    summary: 'Remove an isolated world',
    uses: ({ id }) => [id],
    run(control, { id }) {
      control.removeWorld(id)
      return { removed: 1 }
    },
  }),
]
