import { z } from 'zod'

/** The name of a scenario. */
export const ScenarioName = z.lazy(() =>
  z
    .string()
    .max(200)
    .regex(/^[a-z\d]+(-[a-z\d]+)*$/, {
      error: 'it must be lower-case words separated by hyphens',
    }),
)
