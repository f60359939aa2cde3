/** The least and the most that one tip can be, dollars. Every account has the same. */
export const tipTerms = { min: 5, max: 1000 } as const
