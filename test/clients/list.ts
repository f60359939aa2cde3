import type { VariationName } from 'creator-api-sandbox'

/** What is expected to find a wrong client. */
export interface Finder {
  /** The variation under which it fails. Without one, it is found as it runs. */
  variation?: VariationName
  /** The rules of the audit that report it. */
  rules?: readonly string[]
  /** The client waits so long before each request. */
  pause?: string
}

/** The wrong clients, each with one bug, and what is expected to find it. */
export const wrongClients: Readonly<Record<string, Finder>> = {
  'python/wrong_width.py': { variation: 'absent-fields' },
  'python/wrong_fees.py': { variation: 'null-fields' },
  'python/wrong_dataclass.py': { variation: 'unknown-keys' },
  'reading/unknown-currency.ts': { variation: 'open-values' },
  'reading/first-key.ts': { variation: 'key-order' },
  'python/wrong_time.py': { variation: 'time-forms' },
  'reading/ids-in-32-bits.ts': { variation: 'large-ids' },
  'reading/stops-at-short-page.ts': { variation: 'short-pages' },
  'reading/trusts-has-more.ts': { variation: 'short-pages' },
  'python/wrong_empty_page.py': { variation: 'empty-page' },
  'python/wrong_last_page.py': { variation: 'null-next-page' },
  'reading/pages-until-count.ts': { variation: 'moving-counts' },
  'reading/matches-error-text.ts': { variation: 'error-texts' },
  'reading/last-answer-wins.ts': { variation: 'slow-answers' },
  'reading/caches-links.ts': { variation: 'expiring-links', rules: ['link-kept'] },
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

/** The correct clients. Nothing may be reported about them. */
export const correctClients: readonly string[] = [
  'correct/copies-posts.ts',
  'correct/publishes-post.ts',
  'correct/shows-images.ts',
  'correct/totals-fan.ts',
  'correct/answers-chats.ts',
  'correct/uploads-photo.ts',
  'correct/shows-dashboard.ts',
  'python/correct_copy.py',
  'python/correct_message.py',
  'python/correct_tags.py',
]
