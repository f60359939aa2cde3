import { createSandbox } from 'creator-api-sandbox'
import { createFaker } from 'creator-api-sandbox/faker'
import { expect, it } from 'vitest'

const drawNames = (faker: Awaited<ReturnType<typeof createFaker>>) =>
  Array.from({ length: 5 }, () => faker.person.fullName())

it('returns the same sequence for the same seed, and starts it again after a reset', async () => {
  const sandbox = createSandbox({ scenario: 'solo', seed: 3 })
  const faker = await createFaker(sandbox, { locale: 'de' })
  const names = drawNames(faker)
  const other = createSandbox({ scenario: 'solo', seed: 3 })
  const second = createSandbox({ scenario: 'solo', seed: 4 })

  expect(drawNames(faker)).not.toEqual(names)
  expect(drawNames(await createFaker(other, { locale: 'de' }))).toEqual(names)
  expect(drawNames(await createFaker(second, { locale: 'de' }))).not.toEqual(names)
  await sandbox.reset()
  expect(drawNames(faker)).toEqual(names)
})

it('changes no data of the sandbox', async () => {
  const [sandbox, other] = [0, 1].map(() => createSandbox({ scenario: 'solo' })) as [Box, Box]
  await Promise.all([sandbox.ready, other.ready])
  drawNames(await createFaker(sandbox))

  expect(sandbox.snapshot()).toEqual(other.snapshot())
  expect(sandbox.make.post()).toEqual(other.make.post())
})

it('draws dates relative to the clock of the sandbox', async () => {
  const sandbox = createSandbox({ scenario: 'solo' })
  const faker = await createFaker(sandbox)
  sandbox.clock.advance('400d')

  expect(faker.date.recent({ days: 1 }).getTime()).toBeGreaterThan(
    sandbox.clock.now() - 86_400_000 - 1,
  )
})

it('rejects an unknown locale, and anything but a sandbox', async () => {
  const sandbox = createSandbox({ scenario: 'solo' })

  await expect(createFaker(sandbox, { locale: 'den' as 'de' })).rejects.toThrow(/did you mean de/)
  await expect(createFaker({} as never)).rejects.toThrow(/must be a sandbox/)
})

type Box = ReturnType<typeof createSandbox>
