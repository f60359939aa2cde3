/**
 * Weight of each hour of a UTC day, starting at 00:00. The weights are low at night and high in the
 * evening.
 */
export const busyHours = [
  3, 2, 1, 1, 1, 1, 2, 3, 4, 4, 4, 5, 6, 5, 5, 5, 6, 8, 10, 12, 13, 12, 9, 6,
] as const
