import { expect, it, vi } from 'vitest'
import { z } from 'zod'
import { compareAscending, defineTable } from '../../src/data/define-table.ts'
import { definePersistedService, defineService } from '../../src/world/service.ts'
import { World } from '../../src/world/world.ts'

const start = Date.parse('2026-10-01T00:00:00.000Z')
const definitions = {
  pets: defineTable({
    schema: z.object({ id: z.int(), owner: z.int(), name: z.string() }),
    indexes: { byOwner: { group: (pet) => pet.owner, order: compareAscending((pet) => pet.name) } },
  }),
  toys: defineTable({ schema: z.object({ id: z.int(), name: z.string() }), indexes: {} }),
}
type PetWorld = World<typeof definitions>
const subject = {}

it('computes a view once, and again if a record that it read changes', () => {
  const world = createPetWorld()
  const view = vi.fn(({ db }: PetWorld) => db.pets.get(1)?.name)
  expect([world.cached(view, subject), world.cached(view, subject)]).toEqual(['Rex', 'Rex'])
  world.db.pets.update(2, { name: 'Tom' })
  world.db.toys.insert({ id: 1, name: 'Ball' })
  expect(world.cached(view, subject)).toBe('Rex')
  expect(view).toHaveBeenCalledTimes(1)
  world.db.pets.update(1, { name: 'Max' })
  expect(world.cached(view, subject)).toBe('Max')
})

it('keeps a function of the time until its next step', () => {
  const world = createPetWorld()
  const measure = (now: number) => Math.floor(((now - start) / 1_000) ** 2)
  const view = vi.fn(({ clock }: PetWorld) => measure(clock.nowFor(measure, start + 2_000)))
  const show = () => [world.cached(view, subject), view.mock.calls.length]
  world.clock.advance(900)
  show()
  world.clock.advance(99)
  expect(show()).toEqual([0, 1])
  world.clock.advance(1)
  expect(show()).toEqual([1, 2])
  world.clock.advance(1_500)
  expect(show()).toEqual([6, 3])
  world.clock.advance('1d')
  expect(show()[1]).toBe(3)
})

it('does not cache a view that read the persisted state of a service', () => {
  const world = createPetWorld()
  const persisted = definePersistedService({
    name: 'state',
    schema: z.unknown(),
    create: () => ({ state: () => null, restore: () => {} }),
  })
  const plain = defineService(() => new Map())
  const readPlain = vi.fn((pets: PetWorld) => pets.service(plain).size)
  const readPersisted = vi.fn((pets: PetWorld) => pets.service(persisted).state())
  for (let time = 0; time < 2; time += 1) {
    world.cached(readPlain, subject)
    world.cached(readPersisted, subject)
  }
  expect(readPlain).toHaveBeenCalledTimes(1)
  expect(readPersisted).toHaveBeenCalledTimes(2)
})

it('evicts the least recently used values', () => {
  const world = createPetWorld()
  const view = vi.fn((_world: PetWorld, { id }: { id: number }) => id)
  const subjects = Array.from({ length: 10_000 }, (_, id) => ({ id }))
  const [first, second] = subjects as [{ id: number }, { id: number }]
  for (const each of subjects) {
    world.cached(view, each)
    world.cached(view, first)
  }
  expect(view).toHaveBeenCalledTimes(subjects.length)
  world.cached(view, second)
  expect(view).toHaveBeenCalledTimes(subjects.length + 1)
})

function createPetWorld(): PetWorld {
  const world: PetWorld = new World(
    {
      seed: 1,
      start,
      clock: { mode: 'frozen', rate: 1 },
      baseUrl: 'https://api.example.test',
      transcodingMs: 0,
      journalSize: 0,
    },
    { definitions, services: [], registerListeners: () => {}, nextDue: () => undefined },
  )
  world.db.pets.insert({ id: 1, owner: 7, name: 'Rex' })
  world.db.pets.insert({ id: 2, owner: 8, name: 'Mia' })
  return world
}
