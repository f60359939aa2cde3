import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import type { TestUserConfig } from 'vitest/node'
import { entries, getImportSpecifier } from './scripts/entry-points.ts'
import { digestSeedSources } from './scripts/source-digest.mjs'

/** Tests and examples import the package by its name; here that name means the sources. */
export const alias = [
  ...entries.map((entry) => ({
    find: new RegExp(`^${getImportSpecifier(entry)}$`),
    replacement: toPath(entry.source),
  })),
  ...(hasCurrentRows() ? [] : [withoutReadyRows()]),
]

/** True if the ready-made records come from the present sources. */
function hasCurrentRows(): boolean {
  return readFileSync(toPath('src/generated/ready-rows.ts'), 'utf8').includes(digestSeedSources())
}

/** Lets the tests seed all records, because the ready-made ones are stale. */
function withoutReadyRows() {
  return {
    find: /^.*\/generated\/ready-rows\.ts$/,
    replacement: toPath('test/support/no-ready-rows.ts'),
  }
}

function toPath(file: string): string {
  return fileURLToPath(new URL(file, import.meta.url))
}

// Settings of all projects. Files of a worker share their modules, so that each file need not load
// the sources again.
const shared = {
  isolate: false,
  pool: 'forks' as const,
  maxWorkers: '100%',
  // These limits only end tests that hang, because a busy machine is many times slower.
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 60_000 } },
  // Show only the lines that differ.
  diff: { expand: false, truncateThreshold: 60 },
  globalSetup: 'test/support/skips.ts',
  setupFiles: 'test/support/restore.ts',
}

/** Settings of tests that start the command in a separate process. */
const withCommand = {
  ...shared,
  globalSetup: [shared.globalSetup, 'test/support/bundle-command.ts'],
}

/** Tests that take minutes: those of their own files, and property tests with many more runs. */
const long = {
  ...withCommand,
  name: 'long',
  include: ['test/**/*.long.test.ts', 'test/properties/**/*.test.ts'],
  env: { LONG_TESTS: '1' },
  testTimeout: 600_000,
}

/** Tests that take more than half an hour, and that CI does not run. */
const soak = {
  ...withCommand,
  name: 'soak',
  include: ['test/soak/*.soak.test.ts'],
  fileParallelism: false,
  testTimeout: 3 * 3_600_000,
}

/** Tests to run after each change. */
const tests = {
  ...shared,
  name: 'tests',
  include: ['test/**/*.test.ts', 'examples/**/*.test.ts'],
  exclude: ['**/node_modules/**', 'dist/**', '**/*.long.test.ts', '**/*.soak.test.ts'],
}

const suites: TestUserConfig = {
  // The default. Use `--project long` or `--project soak` to run the others.
  project: tests.name,
  projects: [tests, long, soak].map((test) => ({ resolve: { alias }, test })),
  reporters: ['./test/support/reporter.ts'],
  // Keeps the transformed sources in node_modules, so that only changed files are transformed again.
  experimental: { fsModuleCache: true },
}

export default defineConfig({ test: suites })
