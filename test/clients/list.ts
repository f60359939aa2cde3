import type { TrialName } from '../../src/variation/variation.ts'
import { smallCorrectClients } from './small.ts'

/** Checks that should detect the bug of a client. */
export interface Finder {
  /**
   * Variation or bad day that breaks the client. If not set, the audit of a plain run detects the
   * bug.
   */
  under?: TrialName
  /** Audit rules that should report the bug. */
  rules?: readonly string[]
  /** Pause of the client before each request, as a clock duration. */
  pause?: string
}

/** Incorrect clients, each with one bug and the checks that should detect it. */
export const wrongClients: Readonly<Record<string, Finder>> = {
  'python/wrong_width.py': { under: 'absent-fields' },
  'python/wrong_fees.py': { under: 'null-fields' },
  'python/wrong_dataclass.py': { under: 'unknown-keys' },
  'reading/unknown-currency.ts': { under: 'open-values' },
  'reading/first-key.ts': { under: 'key-order' },
  'python/wrong_time.py': { under: 'time-forms' },
  'reading/ids-of-deleted-posts.ts': { under: 'large-ids', rules: ['id-lost'] },
  'reading/stops-at-short-page.ts': { under: 'short-pages' },
  'reading/trusts-has-more.ts': { under: 'short-pages' },
  'python/wrong_empty_page.py': { under: 'empty-page' },
  'python/wrong_last_page.py': { under: 'null-next-page' },
  'reading/pages-until-count.ts': { under: 'moving-counts' },
  'reading/matches-error-text.ts': { under: 'error-texts' },
  'reading/last-answer-wins.ts': { under: 'slow-answers' },
  'reading/caches-links.ts': { under: 'expiring-links', rules: ['link-kept'] },
  'sending/never-retries.ts': { under: 'bad-gateway' },
  'sending/retries-once.ts': { under: 'bad-gateway-twice' },
  'sending/retries-at-once.ts': { under: 'throttled', rules: ['hammering'] },
  'sending/retries-forever.ts': { under: 'throttled', rules: ['endless-retry'] },
  'sending/empties-on-error.ts': { under: 'lapsed-session' },
  'python/wrong_post_again.py': { under: 'lost-answer', rules: ['repeated-write'] },
  'sending/times-out-and-posts-again.ts': { under: 'late-answer', rules: ['repeated-write'] },
  'sending/ignores-status.ts': { under: 'no-credits' },
  'small/reads-first-page': { under: 'short-pages' },
  'small/stops-at-empty-page': { under: 'empty-page' },
  'small/counts-rows-twice': { under: 'moving-rows' },
  'small/skips-dropped-read': { under: 'dropped-read' },
  'small/continues-after-timeout': { under: 'hanging-read' },
  'small/parses-every-body': { under: 'html-error' },
  'small/shows-zero-when-throttled': { under: 'throttled' },
  'small/continues-with-revoked-key': { under: 'key-revoked', rules: ['wrong-key'] },
  'small/keeps-part-of-list': { under: 'account-disconnected', rules: ['list-abandoned'] },
  'small/trusts-has-more-of-claimers': { rules: ['page-not-continued'] },
  'small/pages-feed-by-offset': { rules: ['page-by-guess', 'ignored-parameter'] },
  'small/sells-twice': { rules: ['paid-media-again'] },
  'small/greets-twice': { rules: ['repeated-message'] },
  'small/continues-without-account': { under: 'account-disconnected', rules: ['retry-hopeless'] },
  'reading/keeps-old-links.ts': { rules: ['stale-link'], pause: '1h' },
  'reading/resizes-links.ts': { rules: ['edited-link'] },
  'reading/builds-share-links.ts': { rules: ['built-link'] },
  'reading/stops-after-three-pages.ts': { rules: ['page-not-continued'] },
  'sending/retries-404.ts': { rules: ['retry-hopeless'] },
  'sending/double-click.ts': { rules: ['no-backoff'] },
  'sending/asks-include-hidden.ts': { rules: ['ignored-parameter'] },
  'sending/one-row-pages.ts': { rules: ['page-of-one'] },
  'sending/guesses-offsets.ts': { rules: ['page-by-guess'] },
  'sending/searches-by-id.ts': { rules: ['empty-by-filter'] },
  'sending/one-fan-at-a-time.ts': { rules: ['repeated-read'] },
  'sending/key-in-address.ts': { rules: ['key-in-url', 'wrong-key'] },
  'sending/key-for-uploads.ts': { rules: ['key-sent-away'] },
  'sending/misspelled-path.ts': { rules: ['near-miss'] },
  'sending/cuts-emoji.ts': { rules: ['broken-text'] },
  'sending/price-in-cents.ts': { rules: ['unusual-price'] },
  'sending/window-ahead.ts': { rules: ['clock-skew'] },
}

/** Correct clients, for which no check may report anything. */
export const correctClients: readonly string[] = [
  'correct/copies-posts.ts',
  'correct/publishes-post.ts',
  'correct/shows-images.ts',
  'correct/totals-fan.ts',
  'correct/thanks-fans.ts',
  'correct/uploads-photo.ts',
  'correct/shows-dashboard.ts',
  'python/correct_copy.py',
  'python/correct_message.py',
  'python/correct_tags.py',
]

/** Correct clients about which checks may give hints. They report each failure. */
export const smallClients: readonly string[] = Object.keys(smallCorrectClients)
