export function computeSum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

/** Returns a quantile: the value below which the given share of the values lies. */
export function computeQuantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

export function computeStandardDeviation(values: readonly number[]): number {
  const mean = computeSum(values) / values.length
  return Math.sqrt(computeSum(values.map((value) => (value - mean) ** 2)) / values.length)
}

/** Returns the rank correlation of pairs, from -1 to 1. */
export function computeRankCorrelation(pairs: readonly (readonly [number, number])[]): number {
  const ranks = (values: readonly number[]) => {
    const order = values
      .map((_, place) => place)
      .toSorted((a, b) => (values[a] ?? 0) - (values[b] ?? 0))
    const rank: number[] = []
    for (const [index, place] of order.entries()) rank[place] = index
    return rank
  }
  const [a, b] = [ranks(pairs.map(([x]) => x)), ranks(pairs.map(([, y]) => y))]
  const mean = (pairs.length - 1) / 2
  const covariance = computeSum(a.map((rank, place) => (rank - mean) * ((b[place] ?? 0) - mean)))
  return covariance / computeSum(a.map((rank) => (rank - mean) ** 2))
}
