import { serveSandbox } from 'creator-api-sandbox/vitest/setup'

// All test files share one server on a free port.
export default serveSandbox({ scenario: 'solo' })
