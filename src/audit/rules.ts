import type { Rule } from './rule.ts'
import { keyInUrl, keySentAway, nearMiss, wrongKey } from './rules/access.ts'
import { emptyByFilter, repeatedRead } from './rules/reads.ts'
import { builtLink, editedLink, linkKept, staleLink } from './rules/links.ts'
import { listAbandoned, pageByGuess, pageNotContinued, pageOfOne } from './rules/paging.ts'
import { clockSkew, idLost, ignoredParameter } from './rules/parameters.ts'
import {
  unusualPrice,
  brokenText,
  paidMediaAgain,
  repeatedMessage,
  repeatedWrite,
} from './rules/writes.ts'
import { endlessRetry, hammering, noBackoff, retryHopeless } from './rules/retries.ts'

/** All rules, in the order in which they are applied. */
export const rules: readonly Rule[] = [
  hammering,
  noBackoff,
  retryHopeless,
  endlessRetry,
  repeatedWrite,
  paidMediaAgain,
  repeatedMessage,
  ignoredParameter,
  pageNotContinued,
  listAbandoned,
  pageByGuess,
  pageOfOne,
  emptyByFilter,
  repeatedRead,
  staleLink,
  linkKept,
  editedLink,
  builtLink,
  idLost,
  wrongKey,
  keyInUrl,
  keySentAway,
  nearMiss,
  clockSkew,
  unusualPrice,
  brokenText,
]
