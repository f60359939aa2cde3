import type { z } from 'zod'
import { advanceClock } from '../control/actions/clock.ts'
import { setCredits } from '../control/actions/credits.ts'
import { addFault, clearFault } from '../control/actions/faults.ts'
import { setLimits } from '../control/actions/limits.ts'
import { addNote } from '../control/actions/note.ts'
import { connectAccount, disconnectAccount } from '../resources/accounts/connection.actions.ts'
import { lapseSession, restoreSession } from '../resources/accounts/session.actions.ts'
import { readyMedia } from '../resources/media/actions.ts'
import { refuseUpstream } from '../resources/media/upstream.actions.ts'
import { readMessages, writeMessage } from '../resources/messages/actions.ts'
import { giveTip, unlockOneMessage, unlockOnePost } from '../resources/payments/actions.ts'
import { reverseTransaction, settleTransaction } from '../resources/payments/transactions.actions.ts'
import { commentPost, likePost, publish, viewPost } from '../resources/posts/actions.ts'
import { claimLink, expireSubscriber, newSubscriber, renewSubscriber } from '../resources/subscribers/actions.ts'

/** Every action: each is at once a method argument, a `POST /_sandbox/actions` and a step of a timeline. */
export const actions = [
  lapseSession,
  restoreSession,
  disconnectAccount,
  connectAccount,
  setLimits,
  setCredits,
  refuseUpstream,
  newSubscriber,
  renewSubscriber,
  expireSubscriber,
  claimLink,
  giveTip,
  unlockOnePost,
  unlockOneMessage,
  writeMessage,
  readMessages,
  publish,
  commentPost,
  likePost,
  viewPost,
  settleTransaction,
  reverseTransaction,
  readyMedia,
  addFault,
  clearFault,
  advanceClock,
  addNote,
] as const

/** An action as it is asked for: its `type` and its fields. */
export type ActionInput = { [Item in (typeof actions)[number] as Item['type']]: { type: Item['type'] } & z.input<Item['schema']> }[(typeof actions)[number]['type']]
