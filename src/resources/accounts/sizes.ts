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
          'believable (default): realistic texts. edge: names and other strings that users write ' +
            'contain markup, emoji and right-to-left text, and some are very short or very long.',
        ),
    'believable',
  ),
  equalTimes: defineSize(
    () =>
      z
        .boolean()
        .describe(
          'true: groups of posts and comments have the same time, and ranked lists have ties. ' +
            'Default: false.',
        ),
    false,
  ),
}
export type AccountSizes = SizeValues<typeof accountSizes>
