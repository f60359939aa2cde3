/** Figures of an account or of a scenario, by name. */
export type Figures = Readonly<Record<string, number>>
