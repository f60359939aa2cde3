import type { z } from 'zod'
import { connectAccount, disconnectAccount } from './account.ts'
import { setCredits } from './credits.ts'
import { setLimits } from './limits.ts'
import { lapseSession, restoreSession } from './session.ts'
import { refuseUpstream } from './upstream.ts'

/** Every action: each is at once a method argument and a `POST /_sandbox/actions`. */
export const actions = [lapseSession, restoreSession, disconnectAccount, connectAccount, setLimits, setCredits, refuseUpstream] as const

/** An action as it is asked for: its `type` and its fields. */
export type ActionInput = { [Item in (typeof actions)[number] as Item['type']]: { type: Item['type'] } & z.input<Item['schema']> }[(typeof actions)[number]['type']]
