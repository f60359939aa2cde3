import type { Persona } from '../../seed/persona.ts'
import type { SeedTexts } from '../../seed/seed-texts.ts'
import { TextPicker } from '../../seed/text-picker.ts'
import type { Account } from '../../world/tenancy/tenancy.table.ts'
import type { Random } from '../../world/random.ts'
import { listTextValues } from '../fans/fan-values.ts'
import type { Fan } from '../fans/fans.table.ts'
import { ExchangePicker, groupByKind, spellLine } from './exchanges.ts'

/** Picks a random text for a message of a fan or a creator, in a world that is already seeded. */
export function drawChatText(
  random: Random,
  texts: Pick<SeedTexts, 'exchanges' | 'countries'>,
  {
    persona,
    account,
    fan,
    isFromFan,
    local,
  }: {
    persona: Persona
    account: Pick<Account, 'name'>
    fan: Fan | undefined
    isFromFan: boolean
    /** The creator's local date. */
    local: Date
  },
): string {
  const picker = new TextPicker(random)
  const values = listTextValues(texts, { fan, account })
  const exchanges = new ExchangePicker(picker, { persona, shared: groupByKind(texts.exchanges) })
  const exchange = exchanges.pick('smalltalk', { local, values })
  const line = exchange?.lines[(exchange.first === 'fan') === isFromFan ? 0 : 1]
  const text = picker.fill(line ?? exchange?.lines[0] ?? '', { local, values })
  return spellLine(text, { isFromFan, fanId: fan?.id ?? 0, persona })
}
