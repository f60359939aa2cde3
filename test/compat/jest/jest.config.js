/** Compilers of the project's tests to CommonJS. */
const transforms = { babel: 'babel-jest', swc: '@swc/jest', 'ts-jest': 'ts-jest' }

/**
 * The ESM-only packages of MSW 2. Its documentation requires that they are transformed. None of
 * ours is among them.
 */
const ofMsw = '/node_modules/(?!(rettime|until-async|@open-draft/deferred-promise)/)'

/** Each compiler with the tests in Node. Tests without MSW also run in the plain jsdom of Jest. */
module.exports = {
  testTimeout: 60_000,
  projects: [
    {
      displayName: 'failing',
      testEnvironment: 'node',
      testMatch: ['<rootDir>/failing.ts'],
      setupFilesAfterEnv: ['creator-api-sandbox/jest'],
      transform: { '\\.ts$': 'babel-jest' },
    },
    {
      displayName: 'esm',
      testEnvironment: 'node',
      testMatch: ['<rootDir>/esm.mjs'],
      transform: {},
    },
    ...Object.entries(transforms).flatMap(([name, transform]) => [
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
  ],
}
