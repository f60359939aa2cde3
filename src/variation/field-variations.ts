import { visitObjects, getFormat, isNullable, defineVariation } from './variation.ts'
import type { JsonObject, Shape, VariableResponse, Varied, Variation } from './variation.ts'

/**
 * File fields that the reference marks as optional and that this variation removes. It keeps other
 * optional fields, because their presence depends on the data.
 */
const mayBeAbsent = ['width', 'height', 'size']

const absentFields = defineVariation({
  name: 'absent-fields',
  does: 'Optional fields of a file are left out: width, height and size.',
  breaks: 'A client that computes with a field without checking that it is present.',
  source: 'reference §2 Vault media: each has url and may carry width, height and size',
  open: () => ({
    varyResponse: (answer, { random }) =>
      changeFields(answer, (object, name, { required = [] }) => {
        if (!mayBeAbsent.includes(name) || required.includes(name) || !random.chance(0.5))
          return false
        delete object[name]
        return true
      }),
  }),
})

/** Fields that can be null in any response if the schema of the route allows null. */
const mayBeNull = [
  'fee',
  'vat_amount',
  'vatAmount',
  'currency',
  'avatar',
  'avatarThumbs',
  'header',
  'headerThumbs',
  'headerSize',
]

const nullFields = defineVariation({
  name: 'null-fields',
  does:
    'Some nullable fields are null: fee, vat_amount and currency of a transaction, and the ' +
    'pictures of a user.',
  breaks: 'A client that adds up, formats or opens a nullable field without a check for null.',
  source:
    'reference §2 Fan transaction: null where unknown, null on rows predating the field. Of ' +
    'users: the older public documentation',
  open: () => ({
    varyResponse: (answer, { random }) =>
      changeFields(answer, (object, name, { properties = {} }) => {
        const shape = properties[name]
        if (
          !mayBeNull.includes(name) ||
          object[name] === null ||
          shape === undefined ||
          !isNullable(shape)
        )
          return false
        if (!random.chance(0.5)) return false
        object[name] = null
        return true
      }),
  }),
})

const unknownKeys = defineVariation({
  name: 'unknown-keys',
  does: 'Objects in the data have additional, unknown keys.',
  breaks: 'A client that rejects unknown keys, or copies all keys into a strict object.',
  source:
    'reference §2 Gaps in the resource shapes: fields beyond those named are not shown; §9: ' +
    'releases are additive',
  open: () => ({
    varyResponse({ shape, body }, { random }) {
      let isChanged = false
      visitObjects(shape, body['data'], (object, { properties }) => {
        if (properties === undefined || !random.chance(0.5)) return
        object[`new_${random.integer(1000, 9999)}`] = random.pick<unknown>([
          null,
          0,
          true,
          'new',
          [],
          {},
        ])
        isChanged = true
      })
      return isChanged
    },
  }),
})

/**
 * Values that the reference does not list, by name of the string field. It does not list all values
 * of these fields.
 */
const openFields: readonly {
  field: string
  isOpen: (object: JsonObject) => boolean
  values: readonly string[]
}[] = [
  {
    field: 'currency',
    isOpen: ({ currency }) => typeof currency === 'string',
    values: ['EUR', 'GBP', 'JPY'],
  },
  {
    field: 'type',
    isOpen: ({ type, canUpdate }) => typeof type === 'string' && canUpdate === false,
    values: ['archive', 'highlights'],
  },
  { field: '_view', isOpen: ({ _view }) => typeof _view === 'string', values: ['c', 'x'] },
]

const openValues = defineVariation({
  name: 'open-values',
  does:
    'If the reference has no complete list of values for a string field, the field may have ' +
    'an unlisted value: a currency, the type of a built-in list, the _view of an author.',
  breaks: 'A client without a default case for unknown values.',
  source:
    'reference §2: currency as reported; the type of a vault list is a string, custom for ' +
    'user-made folders; author with id and _view',
  open: () => ({
    varyResponse: (answer, { random }) =>
      changeFields(answer, (object, name, { properties = {} }) => {
        const open = openFields.find(({ field, isOpen }) => field === name && isOpen(object))
        if (open === undefined || isClosed(properties[name]) || !random.chance(0.5)) return false
        object[name] = random.pick(open.values)
        return true
      }),
  }),
})

function isClosed(shape: Shape | undefined): boolean {
  if (shape === undefined) return true
  return (
    shape.enum !== undefined ||
    shape.const !== undefined ||
    shape.anyOf?.some((one) => one.type === 'string' && isClosed(one)) === true
  )
}

const keyOrder = defineVariation({
  name: 'key-order',
  does: 'The keys of each object are in a different order.',
  breaks: 'A client that reads the first key, or compares responses as strings.',
  source: 'reference §1: bodies are JSON, whose objects have no order',
  open: () => ({
    varyResponse({ shape, body }, { random }) {
      visitObjects(shape, body['data'], (object) => shuffle(object, random))
      shuffle(body, random)
      return Object.keys(body).length > 1
    },
  }),
})

function shuffle(object: JsonObject, random: Varied['random']): void {
  const rest = Object.entries(object)
  for (const [name] of rest) delete object[name]
  while (rest.length > 0) {
    const [[name, value] = ['', undefined]] = rest.splice(random.integer(0, rest.length - 1), 1)
    object[name] = value
  }
}

const timeForms = defineVariation({
  name: 'time-forms',
  does: 'Times end in Z or +00:00, or have a fraction of zeros.',
  breaks: 'A client that cuts times at a fixed length, or compares them as strings.',
  source:
    'reference §2: ISO timestamp; RFC 3339, UTC. Neither specifies the form of zone and fraction',
  open: () => ({
    varyResponse: (answer, { random }) =>
      changeFields(answer, (object, name, { properties = {} }) => {
        const { [name]: text } = object
        const [, time, fraction = ''] =
          typeof text === 'string'
            ? (/^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d+)?(?:Z|\+00:00)$/.exec(text) ?? [])
            : []
        if (time === undefined || getFormat(properties[name] ?? {}) !== 'date-time') return false
        const other = `${time}${fraction === '' ? random.pick(['', '.000', '.000000']) : fraction}${random.pick(['Z', '+00:00'])}`
        object[name] = other
        return other !== text
      }),
  }),
})

/** Changes the fields of all objects in the data. Returns true if a field was changed. */
function changeFields(
  { shape, body }: VariableResponse,
  change: (object: JsonObject, name: string, shape: Shape) => boolean,
): boolean {
  let isChanged = false
  visitObjects(shape, body['data'], (object, inner) => {
    for (const name of Object.keys(object)) if (change(object, name, inner)) isChanged = true
  })
  return isChanged
}

/** All variations of response fields. */
export const fieldVariations: readonly Variation[] = [
  absentFields,
  nullFields,
  unknownKeys,
  openValues,
  keyOrder,
  timeForms,
]
