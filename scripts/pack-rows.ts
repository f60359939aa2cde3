import type { Column, PackedRows } from '../src/seed/ready-rows.ts'

type Row = Readonly<Record<string, unknown>>

const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** Packs records into columns. Adds the fields of each group to `shapes`. */
export function packRows(rows: readonly Row[], shapes: string[][]): PackedRows {
  const groups = new Map<string, { fields: string[]; rows: Row[] }>()
  const keys = rows.map((row) => {
    const fields = Object.keys(row).filter((field) => row[field] !== undefined)
    const group = groups.get(fields.join()) ?? { fields, rows: [] }
    group.rows.push(row)
    groups.set(fields.join(), group)
    return fields.join()
  })
  const packed = [...groups.values()].map((group) => {
    const columns = group.fields.map((field) => group.rows.map((row) => row[field]))
    return {
      count: group.rows.length,
      shape: findShape(shapes, group.fields),
      columns: columns.map((values, place) => packColumn(values, columns.slice(0, place), shapes)),
    }
  })
  if (packed.length === 1) return { groups: packed }
  const places = new Map([...groups.keys()].map((key, place) => [key, place]))
  return { groups: packed, order: keys.map((key) => places.get(key) ?? 0) }
}

function findShape(shapes: string[][], fields: string[]): number {
  const known = shapes.findIndex((shape) => shape.join() === fields.join())
  return known >= 0 ? known : shapes.push(fields) - 1
}

/** Returns the shortest form of a column. */
function packColumn(
  values: readonly unknown[],
  earlier: readonly (readonly unknown[])[],
  shapes: string[][],
): Column {
  const texts = values.map((value) => JSON.stringify(value))
  const forms: Column[] = [
    toUsual(values, texts),
    { all: values },
    toPlaces(values, texts),
    ...earlier.map((others, place) => toLike(values, others, place)),
  ]
  if (values.every((value) => Number.isSafeInteger(value)))
    forms.push({ steps: toSteps(values as number[]) as number[] })
  if (values.every((value) => typeof value === 'string' && /^[1-9]\d{0,14}$/.test(value)))
    forms.push({ steps: toSteps(values.map(Number)) as number[], isText: true })
  if (values.every(Array.isArray)) {
    const lists = values as Row[][]
    const items = lists.flat()
    if (items.length > 0 && items.every((item) => !Array.isArray(item) && Object(item) === item))
      forms.push({ lengths: lists.map(({ length }) => length), items: packRows(items, shapes) })
  }
  if (values.every((value) => value === null || (typeof value === 'string' && isoTime.test(value))))
    forms.push({
      times: toSteps(values.map((value) => (value === null ? null : Date.parse(String(value))))),
    })
  const measured = forms.map((form) => ({ form, length: JSON.stringify(form).length }))
  return measured.reduce((best, each) => (each.length < best.length ? each : best)).form
}

function toUsual(values: readonly unknown[], texts: readonly string[]): Column {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  const [usual = ''] = [...counts].reduce((best, each) => (each[1] > best[1] ? each : best))
  const at = texts.flatMap((text, index) => (text === usual ? [] : [index]))
  return { usual: values[texts.indexOf(usual)], at, others: at.map((index) => values[index]) }
}

function toLike(values: readonly unknown[], earlier: readonly unknown[], like: number): Column {
  const at = values.flatMap((value, index) => (value === earlier[index] ? [] : [index]))
  return { like, at, others: at.map((index) => values[index]) }
}

function toPlaces(values: readonly unknown[], texts: readonly string[]): Column {
  const placeByText = new Map<string, number>()
  const distinct: unknown[] = []
  const places = texts.map((text, index) => {
    const known = placeByText.get(text)
    if (known !== undefined) return known
    placeByText.set(text, distinct.length)
    return distinct.push(values[index]) - 1
  })
  return { values: distinct, places }
}

/** Returns the differences of numbers to the number before. Null stays null. */
function toSteps(numbers: readonly (number | null)[]): (number | null)[] {
  let before = 0
  return numbers.map((number) => {
    if (number === null) return null
    const step = number - before
    before = number
    return step
  })
}
