import type { SourceLevel } from '../types.ts'

/** A page about a topic that concerns several operations. */
export interface Guide {
  /** Id in the URL. */
  id: string
  title: string
  /** One-line summary for lists. */
  about: string
  sections: readonly GuideSection[]
}

/** A section of a guide. */
export interface GuideSection {
  /** Id in the URL. */
  id: string
  title: string
  source?: { level: SourceLevel; detail?: string }
  /** Paragraphs and lists, with `code` and [links](#api). */
  text: string
  /** JavaScript sample that uses `baseUrl`, `key` and `account`. A test runs it. */
  code?: string
  /** Name of a list that is generated from the API document. */
  list?: 'errors' | 'pages'
}

const documented = (detail: string) => ({ level: 'documented', detail }) as const
const inferred = { level: 'inferred' } as const

/** The guides, in recommended reading order. */
export const guides: readonly Guide[] = [
  {
    id: 'authentication',
    title: 'Authentication',
    about: 'API keys, roles, permissions and accounts',
    sections: [
      {
        id: 'key',
        title: 'Send your API key',
        source: documented('§5 Authentication'),
        text: `Every route under \`/v1/\` needs an API key. Send it in one of two headers:

- \`Authorization: Bearer <API_KEY>\`
- \`X-API-Key: <API_KEY>\`

If you send both, \`Authorization\` takes precedence.`,
        code: `const response = await fetch(\`\${baseUrl}/v1/accounts\`, {
  headers: { authorization: \`Bearer \${key}\` }, // or { 'x-api-key': key }
})
console.log(response.status, await response.json())`,
      },
      {
        id: 'permissions',
        title: 'Roles and permissions',
        source: documented('§5 Authentication'),
        text: `Each route requires one permission, which is shown on its page. If the role of your
key does not have this permission, you get 403. *Try it* has a key for each role of this sandbox,
and warns you before you send a request without the permission.`,
      },
      {
        id: 'accounts',
        title: 'Accounts',
        source: documented('§1 General conventions, §7 Errors'),
        text: `A key belongs to an organisation, which has connected creator accounts. [List the
accounts](#api/listAccounts) to get their ids. Most paths start with the \`account_id\`. Some fan
routes have \`account_ids\` in the body instead. An account of another organisation returns 404,
like an account that does not exist.`,
      },
      {
        id: 'refused',
        title: 'Refused keys',
        source: documented('§5 Authentication'),
        text: `A missing or unknown key returns 401 and costs no credit. Do not send the same key
again, because the answer will not change. Check these points:

- The key belongs to this sandbox. The sandbox refuses keys of the live service.
- A key of an isolated world ends with \`~\` and the name of the world.
- The header has no quotes or line breaks.

The console shows the reason for each refused request.`,
      },
      {
        id: 'open',
        title: 'Routes without a key',
        source: documented('§5 Authentication'),
        text: `[GET /health](#api/getHealth), media links and public share pages need no key.
Anyone with a media link can see the file until it expires.`,
      },
    ],
  },
  {
    id: 'errors',
    title: 'Errors',
    about: 'Status codes, their meaning and how to handle them',
    sections: [
      {
        id: 'body',
        title: 'The body of an error',
        source: documented('§7 Errors'),
        text: `An error is \`{"error": "…"}\`, without an envelope or other fields. The messages in
this document are our guess, because the reference shows none. Use the status, and do not match on
the message.`,
        code: `const response = await fetch(\`\${baseUrl}/v1/\${account}/posts?limit=many\`, {
  headers: { authorization: \`Bearer \${key}\` },
})
if (!response.ok) console.log(response.status, (await response.json()).error)`,
      },
      {
        id: 'retry',
        title: 'Which errors to retry',
        source: inferred,
        text: `- 429: wait, then send the request again. See [Retry after a
429](#guides/limits/retry).
- 5XX: repeat a read with increasing pauses. A write may have been carried out, so check this with
a read before you repeat it.
- 424: the session of the account at the platform has lapsed. Retry only after the account was
reconnected. Routes with the mark \`service\` still work.
- 403, 404 or 502 of a media link: request the item again to get a new link.
- 400, 401, 402, 403, 404, 413: do not retry. The same request would fail again, and every error
except 401 costs a credit.`,
      },
      {
        id: 'order',
        title: 'If several errors apply',
        source: inferred,
        text: `You get the first of these that applies: 401 (key), 429 (rate limit), 402 (credits),
404 (route), 403 (permission), 404 (account), 413 (size), 400 (body and parameters), 424 (session),
then the checks of the route itself.`,
      },
      {
        id: 'codes',
        title: 'All errors',
        source: inferred,
        text: `Each operation lists its own errors under *Answers*. The codes are internal names of
this sandbox. The journal and the console show them, but answers do not contain them.`,
        list: 'errors',
      },
    ],
  },
  {
    id: 'paging',
    title: 'Paging',
    about: 'next_page, offsets and cursors',
    sections: [
      {
        id: 'next-page',
        title: 'Follow next_page',
        source: documented('§1 Response envelope'),
        text: `A list returns one page. If there is another page, \`_pagination.next_page\` is its
relative URL, with all filters and the offset or cursor. Append it to the base URL and send it
unchanged. The last page has no \`_pagination\`. On [comments](#api/listPostComments) and [referral
payouts](#api/listReferralPayouts), \`next_page\` is \`null\` instead. This loop handles both:`,
        code: `const headers = { authorization: \`Bearer \${key}\` }
const posts = []
let next = \`/v1/\${account}/posts?limit=100\`
while (next) {
  const response = await fetch(baseUrl + next, { headers })
  const { data, _pagination } = await response.json()
  posts.push(...data.list)
  next = _pagination?.next_page
}
console.log(posts.length)`,
      },
      {
        id: 'bare-offset',
        title: 'The exception: fan transactions',
        source: documented('§4 Fans'),
        text: `For [fan transactions](#api/listFanTransactions), which is a POST, \`next_page\` is
only an offset as a string, such as \`"25"\`. Send the same body again, with all filters and this
\`offset\`.`,
      },
      {
        id: 'cursors',
        title: 'Offsets and cursors',
        source: documented('§1 General conventions, §4 Posts'),
        text: `Most lists accept \`offset\`. If rows are added while you read the pages, a row can
appear twice or be missed, so compare ids. The [post feed](#api/listPosts) uses a cursor instead:
\`before_publish_time\`, or \`after_publish_time\` for an ascending order. Its value is the
\`tailMarker\` of the previous page. It is easier to use \`next_page\`, which contains the cursor.`,
      },
      {
        id: 'size',
        title: 'Page sizes',
        source: documented('§8 Limits'),
        text: `\`limit\` has a default and a maximum, which each operation shows. Above the
maximum, the post feed uses 100. Other lists answer 400. Do not stop at a page that is shorter than
\`limit\`. Only \`next_page\` shows if there are more rows.`,
      },
      {
        id: 'lists',
        title: 'All lists',
        text: 'These operations have several pages:',
        list: 'pages',
      },
    ],
  },
  {
    id: 'limits',
    title: 'Limits and credits',
    about: 'Rate limits, credits and retries after 429',
    sections: [
      {
        id: 'retry',
        title: 'Retry after a 429',
        source: inferred,
        text: `A 429 costs no credit. The service sends no \`Retry-After\`. The windows are the UTC
minute and the UTC day, so wait until the next minute begins, then send the same request again.
Stop after a few attempts: if the daily limit is used up, you have to wait for the next day.`,
        code: `const headers = { authorization: \`Bearer \${key}\` }
async function send(path, attempts = 5) {
  const response = await fetch(baseUrl + path, { headers })
  if (response.status !== 429 || attempts === 1) return response
  const untilNextMinute = 60_000 - (Date.now() % 60_000)
  await new Promise((resolve) => setTimeout(resolve, untilNextMinute))
  return send(path, attempts - 1)
}
console.log((await send('/v1/accounts')).status)`,
      },
      {
        id: 'windows',
        title: 'Rate limits',
        source: documented('§8 Limits'),
        text: `The limits apply to the organisation, so all its keys share them. Every successful
answer contains them in \`_meta._rate_limits\`: \`limit_minute\`, \`remaining_minute\`,
\`limit_day\` and \`remaining_day\`. Errors have no \`_meta\`, so store the latest values. Slow
down before \`remaining_minute\` is 0.`,
      },
      {
        id: 'credits',
        title: 'Credits',
        source: documented('§7 Errors, §8 Limits'),
        text: `Every request costs 1 credit, and so does every error except 401 and 429.
\`_meta._credits.used\` is the cost of a successful request. 402 means that the organisation has no
active subscription or no credits left.`,
      },
      {
        id: 'media',
        title: 'Media links',
        source: documented('§8 Media links'),
        text: `A media link expires 2 hours after it was created. An account can load 300 files per
minute. After that, links return 429. Loading the same file again within an hour does not count.
Store the id of the media, not the link. [Request the item again](#api/getVaultMedia) to get a new
link.`,
      },
      {
        id: 'size',
        title: 'Size of a request',
        source: inferred,
        text: `A body larger than 1 MiB returns 413. The reference does not mention the maximum.`,
      },
      {
        id: 'simulate',
        title: 'Try it in this sandbox',
        text: `- *Fail 429*, beside a request in the console, makes the next requests fail with 429.
- The action \`limits.set\` lowers the limit, so you can reach it.
- The windows follow the clock of the sandbox. If that is frozen, the minute ends only when you
advance the clock.`,
      },
    ],
  },
  {
    id: 'time',
    title: 'Time',
    about: 'Formats, time windows, and the clock of the sandbox',
    sections: [
      {
        id: 'formats',
        title: 'Formats',
        source: inferred,
        text: `All times are UTC.

- Relay routes return the format of the platform, with an offset: \`2026-09-01T12:00:00+00:00\`.
- Service routes return RFC 3339 with \`Z\`: \`2026-09-01T12:00:00Z\`.
- \`postedAtPrecise\` and the cursors of the post feed are seconds since 1970 with a fraction, in a
string: \`"1788249600.000000"\`.

Parse times with \`Date\` or a library. Do not compare them as strings.`,
      },
      {
        id: 'windows',
        title: 'Windows of time',
        source: documented('§4 Fans, §9 Versioning'),
        text: `Filters such as \`from\` and \`to\` are inclusive. If \`from\` is later than \`to\`,
you get 400. The description of each parameter shows its formats. Reports without a window cover
the last two years. In charts, days begin at UTC midnight. Days without activity may be missing, so
read the date of each point.`,
      },
      {
        id: 'expiry',
        title: 'Expiry',
        source: documented('§4 Posts, §8 Media links'),
        text: `A media link expires 2 hours after it was created. A post with \`expireDays\` is
removed after that many days. A post with \`scheduledTime\` is published at that time.`,
      },
      {
        id: 'clock',
        title: 'The clock of this sandbox',
        text: `The sandbox has its own clock, which the console shows in its header. Rate limits,
expiry and scheduled posts depend on it. [Advance the clock](#control/moveClock) instead of
waiting.`,
      },
    ],
  },
]

export function findGuide(id: string | undefined): Guide | undefined {
  return guides.find((guide) => guide.id === id)
}
