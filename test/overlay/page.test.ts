import { readFileSync } from 'node:fs'
import { readOverlay } from 'creator-api-sandbox/overlay'
import { expect, it } from 'vitest'
import { createFreshSandbox, sendAsOwner } from '../support/client.ts'

const page = readFileSync(new URL('../../docs/verify.md', import.meta.url), 'utf8')
const examples = [
  ...page.matchAll(/```yaml\n([^]*?)```\n\n```http\nGET (\S+)\n```\n\n```json\n([^]*?)```/g),
]

it('has examples for all parts of an overlay', () => expect(examples).toHaveLength(4))

it.each(examples.map(([, yaml = '', path = '', answer = '']) => [path, yaml, answer]))(
  'shows real answers: %s',
  async (path, yaml, answer) => {
    const sandbox = await createFreshSandbox('solo', { overlay: await readOverlay(yaml) })
    const address = path.replace('{account_id}', String(sandbox.db.accounts.all()[0]?.id))
    const { body } = await sendAsOwner(sandbox, 'GET', address)
    expect(body).toMatchObject(JSON.parse(answer) as object)
  },
)
