import { parseIso, toIsoTime } from '../../lib/time.ts'
import { defineFactory } from '../define.ts'
import { getPersona, requireTexts } from '../../seed/texts.ts'
import { pickPhoto } from '../vault/vault.ts'
import { TextPicker } from '../../seed/text-picker.ts'
import { writeMassMessage } from './seeded-recipients.ts'

/**
 * Fills in missing fields of mass messages. By default, a mass message goes to all fans. A message
 * with a future time is queued, and any other message counts as sent. Does not add copies to the
 * chats.
 */
export const massMessageFactory = defineFactory({
  name: 'massMessage',
  table: 'massMessages',
  isPlannable: true,
  complete(given, context) {
    const { world, random } = context
    const accountId = context.accountId(given)
    const account = world.db.accounts.get(accountId)
    const texts = requireTexts(world)
    const now = world.clock.now()
    const told = parseIso(given.sentAt ?? given.scheduledDate ?? '')
    const at = Number.isNaN(told) ? context.at : told
    const {
      state = at > now ? 'queued' : 'sent',
      price = 0,
      mediaFiles = price > 0 ? pickPhoto(context, accountId) : [],
    } = given
    const isSent = state === 'sent'
    return {
      accountId,
      state,
      text: writeMassMessage(texts, {
        picker: new TextPicker(random),
        persona: getPersona(texts, account),
        account: account ?? { name: '' },
        at,
        media: price > 0 ? mediaFiles.flatMap((id) => world.db.vaultMedia.get(id) ?? []) : [],
      }),
      mediaFiles: [...mediaFiles],
      userLists: given.userIds === undefined ? ['fans' as const] : [],
      createdAt: toIsoTime(Math.min(at, now)),
      scheduledDate: isSent ? null : toIsoTime(at),
      sentAt: isSent ? toIsoTime(Math.min(at, now)) : null,
    }
  },
})
