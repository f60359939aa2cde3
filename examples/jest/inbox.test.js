const { createSandbox } = require('creator-api-sandbox')
const { showInbox } = require('./inbox.js')

const seeded = createSandbox({ baseUrl: 'https://api.example.test', scenario: 'solo' })
let sandbox
let options

beforeAll(() => seeded.ready)
beforeEach(() => {
  document.body.innerHTML = '<ul></ul>'
  // Each test uses its own fork, so tests do not affect each other.
  sandbox = seeded.fork()
  const [account] = sandbox.db.accounts.all()
  options = {
    fetch: sandbox.fetch,
    baseUrl: sandbox.baseUrl,
    apiKey: sandbox.keys.owner,
    accountId: account.id,
  }
})

const list = () => document.querySelector('ul')

it('shows the chat of the latest message first', async () => {
  const { ids } = sandbox.act({ type: 'message.from_fan', text: 'Are you there?' })
  await showInbox(list(), options)

  const [first] = list().children
  expect(first.textContent).toBe('Are you there?')
  expect(first.dataset.fan).toBe(String(ids.fan))
})

it('asks the user to log in again when the session has lapsed', async () => {
  sandbox.act({ type: 'session.lapse' })
  await showInbox(list(), options)

  expect(list().textContent).toBe('Log in again.')
})

it('asks the user to wait when it is throttled', async () => {
  sandbox.act({ type: 'limits.set', minute: 1 })
  await showInbox(list(), options)
  await showInbox(list(), options)

  expect(list().textContent).toBe('Try again in a minute.')
})
