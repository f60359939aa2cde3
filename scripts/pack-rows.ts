import type { Column, PackedRows } from '../src/seed/ready-rows.ts'

type Row = Readonly<Record<string, unknown>>

const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** Packs the records of a table into columns. Neighbours with the same fields form a group. */
export function packRows(rows: readonly Row[]): PackedRows[] {
  const groups: { fields: string[]; rows: Row[] }[] = []
  for (const row of rows) {
    const fields = Object.keys(row).filter((field) => row[field] !== undefined)
    const last = groups.at(-1)
    if (last !== undefined && last.fields.join() === fields.join()) last.rows.push(row)
    else groups.push({ fields, rows: [row] })
  }
  return groups.map((group) => ({
    count: group.rows.length,
    fields: group.fields,
    columns: group.fields.map((field) => packColumn(group.rows.map((row) => row[field]))),
  }))
}

/** Returns the shortest form of a column. */
function packColumn(values: readonly unknown[]): Column {
  const texts = values.map((value) => JSON.stringify(value))
  const forms: Column[] = [toUsual(values, texts), { all: values }, toPlaces(values, texts)]
  if (values.every((value) => Number.isSafeInteger(value)))
    forms.push({ steps: toSteps(values as number[]) as number[] })
  if (values.every((value) => typeof value === 'string' && /^[1-9]\d{0,14}$/.test(value)))
    forms.push({ steps: toSteps(values.map(Number)) as number[], isText: true })
  if (values.every(Array.isArray)) {
    const lists = values as Row[][]
    const [items, ...others] = packRows(
      lists.flat().filter((item) => !Array.isArray(item) && Object(item) === item),
    )
    const isWhole = items?.count === lists.flat().length
    if (items !== undefined && others.length === 0 && isWhole)
      forms.push({ lengths: lists.map(({ length }) => length), items })
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
