/** Converts dollars to cents, rounded to a whole number. For example, `toCents(12.5)` is 1250. */
export function toCents(dollars: number): number {
  return Math.round(dollars * 100)
}

/** True if an amount has at most two decimals, such as 12.5 but not 12.505. */
export function isWholeCents(dollars: number): boolean {
  return toCents(dollars) / 100 === dollars
}

/** Formats a dollar amount, such as `$1,250.00`. */
export function formatPrice(dollars: number): string {
  // Fast path for amounts without fractions of a cent, because `toFixed` takes ten times as long.
  if (Number.isInteger(dollars) && dollars >= 0 && dollars < 1000) return `$${dollars}.00`
  const [whole = '0', cents = '00'] = dollars.toFixed(2).split('.')
  return `$${whole.length > 3 ? whole.replace(/\B(?=(\d{3})+$)/g, ',') : whole}.${cents}`
}
