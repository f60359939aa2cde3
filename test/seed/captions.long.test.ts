import { it } from 'vitest'
import { shippedPersonas } from '../../src/generated/persona-index.ts'
import { createCaptions, expectVariedCaptions } from '../support/captions.ts'

const seeds = Array.from({ length: 20 }, (_, place) => 100 + place)

it.each(Object.keys(shippedPersonas))(
  'writes captions of %s without repetition, for any seed',
  async (name) => {
    for (const seed of seeds) expectVariedCaptions(await createCaptions(name, seed), seed)
  },
)
