import { count, size } from '../../api/sizes.ts'
import type { SizesOf } from '../../api/sizes.ts'

/** The settings of a scenario for the mass messages of an account. */
export const massMessageSizes = {
  massMessages: size(
    () =>
      count
        .max(2000)
        .describe(
          'Mass messages that went out, each to at most 200 of its subscribers, its best ' +
            'customers or those who left.',
        ),
    0,
  ),
  queuedMassMessages: size(
    () =>
      count
        .max(1000)
        .describe(
          'Mass messages that go out after the clock start; one more was cancelled for every ' +
            'four of them.',
        ),
    0,
  ),
}
export type MassMessageSizes = SizesOf<typeof massMessageSizes>
