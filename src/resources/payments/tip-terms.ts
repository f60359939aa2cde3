/** Minimum and maximum of a tip, dollars. The same for every account. */
export const tipTerms = { min: 5, max: 1000 } as const
