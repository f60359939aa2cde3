import { createSandbox } from 'creator-api-sandbox'
import { strict } from 'creator-api-sandbox/msw'
import { setupServer } from 'msw/node'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { forkForStory } from './fork-loader.ts'
import meta, { JustPublished, Latest, SessionLapsed, Throttled } from './posts.stories.ts'

const server = setupServer()
const projectLoaders = [
  forkForStory(createSandbox({ baseUrl: 'https://api.example.test', scenario: 'solo' }), server),
]

beforeAll(() => server.listen(strict))
afterAll(() => server.close())

/**
 * Renders a story as Storybook does: first the project's loaders, then those of the file, then
 * `render`.
 */
async function show({ parameters = {} }: typeof Latest): Promise<string> {
  const context = { parameters, loaded: {} as Parameters<typeof meta.render>[1]['loaded'] }
  for (const loaders of [projectLoaders, meta.loaders])
    for (const loaded of await Promise.all(loaders.map((load) => load(context))))
      Object.assign(context.loaded, loaded)
  return meta.render({}, context)
}

it('shows the latest posts', async () => {
  expect((await show(Latest)).match(/<li>/g)).toHaveLength(3)
})

it.each([
  ['a post that was just published', JustPublished, 'Out just now'],
  ['a session that has lapsed', SessionLapsed, 'Log in again.'],
  ['an API that refuses', Throttled, 'Try again in a minute.'],
])('shows %s', async (_, story, text) => {
  expect(await show(story)).toContain(text)
})

it('isolates the changes of each story', async () => {
  const before = await show(Latest)
  for (const story of [JustPublished, SessionLapsed, Throttled]) await show(story)
  expect(await show(Latest)).toBe(before)
})
