import { serveSandbox } from 'creator-api-sandbox/vitest/setup'

// One server for all test files, on a free port.
export default serveSandbox({ scenario: 'solo' })
