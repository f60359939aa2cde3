import type { z } from 'zod'
import { connectAccount, disconnectAccount } from './account.ts'
import { advanceClock } from './clock.ts'
import { setCredits } from './credits.ts'
import { addFault, clearFault } from './faults.ts'
import { setLimits } from './limits.ts'
import { readyMedia } from './media.ts'
import { readMessages, writeMessage } from './messages.ts'
import { addNote } from './note.ts'
import { giveTip, unlockOneMessage, unlockOnePost } from './payments.ts'
import { commentPost, likePost, publish, viewPost } from './posts.ts'
import { lapseSession, restoreSession } from './session.ts'
import { claimLink, expireSubscriber, newSubscriber, renewSubscriber } from './subscribers.ts'
import { reverseTransaction, settleTransaction } from './transactions.ts'
import { refuseUpstream } from './upstream.ts'

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
