import { createSandbox } from 'creator-api-sandbox'
import { setupWorker } from 'msw/browser'
import { forkForStory } from './fork-loader.ts'

const seeded = createSandbox({ baseUrl: 'https://api.example.test', scenario: 'solo' })
const worker = setupWorker()

export default {
  beforeAll: () => worker.start({ onUnhandledRequest: 'bypass', quiet: true }),
  loaders: [forkForStory(seeded, worker)],
}
