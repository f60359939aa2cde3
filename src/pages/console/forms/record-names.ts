import type { Api } from '../../shared/api.ts'
import {
  findRecords,
  looksLikeId,
  hasExactName,
  formatRecordName,
  tableOfKind,
} from '../shared/records.ts'
import type { FoundRecord } from '../shared/records.ts'
import type { DataPage } from '../../shared/types.ts'
import { getControlKind } from './fields.ts'
import type { FieldSchema, FormSchema } from './fields.ts'

/** An error that concerns one form field. */
export class FieldError extends Error {
  readonly field: string

  constructor(field: string, message: string) {
    super(message)
    this.field = field
  }
}

/** Maximum number of records listed in an error message. */
const maxListed = 5

/** Returns the table that a field refers to, or undefined if the field is not a reference. */
export function getReferencedTable(name: string, schema: FieldSchema): string | undefined {
  if (!name.endsWith('_id') || getControlKind(name, schema) === 'account') return undefined
  return tableOfKind[name.slice(0, -3)]
}

/**
 * Replaces record names in a form with ids.
 *
 * @throws {FieldError} if a name matches no record or several records
 */
export async function resolveNames(
  api: Api,
  { properties = {} }: FormSchema,
  texts: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, string>>> {
  const resolved = { ...texts }
  for (const [field, schema] of Object.entries(properties)) {
    const table = getReferencedTable(field, schema)
    const text = texts[field]?.trim() ?? ''
    if (
      table === undefined ||
      text === '' ||
      looksLikeId(text) ||
      getControlKind(field, schema) !== 'number'
    )
      continue
    const found = await findRecords(api, table, text, maxListed)
    const [first, ...others] = found.filter((each) => hasExactName(each, text))
    const kind = field.slice(0, -3).replaceAll('_', ' ')
    if (first === undefined || others.length > 0)
      throw new FieldError(
        field,
        toMessage(
          kind,
          text,
          found.map(({ record }) => formatRecordName(record)),
        ),
      )
    resolved[field] = String(first.record['id'])
  }
  await assertFanOfAccount(api, resolved)
  return resolved
}

/** Returns the accounts that a fan subscribes to or used to subscribe to, by id. */
export async function listFanAccounts(api: Api, fanId: string): Promise<readonly string[]> {
  const { items } = await api.get<DataPage>('data/subscriptions', { fanId })
  return (items as readonly { accountId: number }[]).map(({ accountId }) => String(accountId))
}

/** Maximum number of subscriptions to read, and of fans to compare with them. */
const maxCompared = 10_000

/** Finds fans who subscribe to an account or used to subscribe to it. */
export async function findFansOfAccount(
  api: Api,
  { account, text, limit }: { account: string; text: string; limit: number },
): Promise<readonly FoundRecord[]> {
  const { items } = await api.get<DataPage>('data/subscriptions', {
    accountId: account,
    limit: maxCompared,
    sort: 'id:desc',
  })
  const ids = new Set((items as readonly { fanId: number }[]).map(({ fanId }) => String(fanId)))
  if (text !== '') {
    const found = await findRecords(api, 'fans', text, maxCompared)
    return found.filter(({ record }) => ids.has(String(record['id']))).slice(0, limit)
  }
  const newest = [...ids].slice(0, limit).map((id) => findRecords(api, 'fans', id, 1))
  return (await Promise.all(newest)).flat()
}

/** @throws {FieldError} if the form's fan does not belong to its account */
async function assertFanOfAccount(
  api: Api,
  { fan_id: fan = '', account_id: account = '' }: Readonly<Record<string, string>>,
): Promise<void> {
  if (!looksLikeId(fan) || account === '') return
  const accounts = await listFanAccounts(api, fan)
  if (accounts.includes(account)) return
  throw new FieldError(
    'fan_id',
    accounts.length === 0
      ? 'This fan has no subscription. Choose another fan, or add a subscription with “New ' +
          'subscriber”.'
      : 'This fan is not subscribed to the account. Choose another account or fan.',
  )
}

function toMessage(kind: string, text: string, names: readonly string[]): string {
  if (names.length === 0)
    return `No ${kind} has the name ${JSON.stringify(text)}. Choose one from the list.`
  return `More than one ${kind} is named ${JSON.stringify(text)}. Choose one: ${names.join(', ')}.`
}
