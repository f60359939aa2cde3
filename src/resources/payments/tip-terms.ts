/** Minimum and maximum tip of every account, dollars. */
export const tipTerms = { min: 5, max: 1000 } as const
