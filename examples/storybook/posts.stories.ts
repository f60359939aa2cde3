import type { Sandbox } from 'creator-api-sandbox'
import type { SandboxParameters } from './fork-loader.ts'
import { renderPosts } from './posts.ts'

/** The values loaded for a story. */
interface Loaded {
  loaded: { sandbox: Sandbox; html: string }
}

export default {
  title: 'Posts',
  loaders: [
    async ({ loaded: { sandbox } }: Pick<Loaded, 'loaded'>) => ({
      html: await renderPosts({
        baseUrl: sandbox.baseUrl,
        apiKey: sandbox.keys['owner'],
        accountId: sandbox.db.accounts.all()[0]?.id,
      }),
    }),
  ],
  render: (_: object, { loaded }: Loaded) => loaded.html,
}

interface Story {
  parameters?: SandboxParameters
}

export const Latest: Story = {}

export const JustPublished: Story = {
  parameters: { sandbox: (sandbox) => sandbox.act({ type: 'post.publish', text: 'Out just now' }) },
}

export const SessionLapsed: Story = {
  parameters: { sandbox: (sandbox) => sandbox.act({ type: 'session.lapse' }) },
}

export const Throttled: Story = {
  parameters: { sandbox: (sandbox) => sandbox.faults.add({ status: 429 }) },
}
