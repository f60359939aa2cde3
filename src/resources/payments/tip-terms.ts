/** Minimum and maximum tip for all accounts, dollars. */
export const tipTerms = { min: 5, max: 1000 } as const
