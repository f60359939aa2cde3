import { z } from 'zod'
import { defineSize } from '../../api/sizes.ts'
import type { SizeValues } from '../../api/sizes.ts'

/** Scenario settings that apply to all data of an account. */
export const accountSizes = {
  texts: defineSize(
    () =>
      z
        .enum(['believable', 'edge'])
        .describe(
          'believable (default), or edge: user-written strings, including names, have markup, ' +
            'emoji, right-to-left text and extreme lengths.',
        ),
    'believable',
  ),
  equalTimes: defineSize(
    () =>
      z
        .boolean()
        .describe(
          'true: posts and comments have equal times, and ranks have equal figures (ties). ' +
            'Default: false.',
        ),
    false,
  ),
}
export type AccountSizes = SizeValues<typeof accountSizes>
