/** What compiles the tests of a project to CommonJS. */
const transforms = { babel: 'babel-jest', swc: '@swc/jest', 'ts-jest': 'ts-jest' }

/**
 * The packages of MSW 2 that are ESM alone: it wants them transformed, as its documentation says.
 * Nothing of ours is among them.
 */
const ofMsw = '/node_modules/(?!(rettime|until-async|@open-draft/deferred-promise)/)'

/**
 * Each way to compile, with the tests that run in Node; what needs no MSW runs in the jsdom of Jest
 * as it comes, too.
 */
module.exports = {
  testTimeout: 60_000,
  projects: Object.entries(transforms).flatMap(([name, transform]) => [
    {
      displayName: `${name}, node`,
      testEnvironment: 'node',
      testMatch: ['<rootDir>/sandbox.ts', '<rootDir>/server.ts', '<rootDir>/matchers.ts'],
      setupFilesAfterEnv: ['creator-api-sandbox/jest'],
      transform: { '\\.ts$': transform },
    },
    {
      displayName: `${name}, node with msw`,
      testEnvironment: 'node',
      testMatch: ['<rootDir>/msw.ts'],
      transform: { '\\.ts$': transform, '\\.m?js$': 'babel-jest' },
      transformIgnorePatterns: [ofMsw],
    },
    {
      displayName: `${name}, jsdom`,
      testEnvironment: 'jsdom',
      testMatch: ['<rootDir>/sandbox.ts'],
      transform: { '\\.ts$': transform },
    },
  ]),
}
