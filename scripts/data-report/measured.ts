/** Measured values of an account or a scenario, by the name of the value. */
export type Figures = Readonly<Record<string, number>>
