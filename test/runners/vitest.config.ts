import { mergeConfig } from 'vitest/config'
import example from '../../examples/vitest-kit/vitest.config.ts'
import { alias } from '../../vitest.config.ts'

// Runs the unchanged example against the source files.
export default mergeConfig(example, { resolve: { alias } })
