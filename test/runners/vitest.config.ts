import { mergeConfig } from 'vitest/config'
import example from '../../examples/vitest-kit/vitest.config.ts'
import { alias } from '../../vitest.config.ts'

// The example without changes, run with the sources.
export default mergeConfig(example, { resolve: { alias } })
