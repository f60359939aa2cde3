/** Dollars of whole cents: what sums of amounts are rounded to. */
export function toCents(dollars: number): number {
  return Math.round(dollars * 100)
}

/** A sum of dollars as people read it, such as `$1,250.00`. */
export function toPrice(dollars: number): string {
  const [whole = '0', cents = '00'] = dollars.toFixed(2).split('.')
  return `$${whole.replace(/\B(?=(\d{3})+$)/g, ',')}.${cents}`
}
