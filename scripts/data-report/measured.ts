/** Measured values of an account or a scenario, by name. */
export type Figures = Readonly<Record<string, number>>
