/** Figures of an account or of a scenario, by what they measure. */
export type Figures = Readonly<Record<string, number>>
