import { createSandbox } from '../src/index.ts'
import { toBoundsTable, measureBounds } from './data-report/bounds.ts'
import { measureSandbox, sources } from './data-report/figures.ts'
import type { AccountFigures, Figures } from './data-report/figures.ts'
import { plotBars, plotLines } from './data-report/plot.ts'
import type { GeneratedFile } from './generate-media.ts'
import { formatMarkdownTable } from './markdown.ts'

const introduction = `# Seeded data

This page has statistics and plots of the scenario \`agency\` with its default seed. \`npm run data-report\` generates it. The sections \`audience\` and \`money\` of the persona of each account determine how many fans subscribe, stay, leave and pay. Tests check the ranges below with twenty different seeds.
`

const bounds = `## Bounds

The column *Bound* has the typical range for accounts of such services, and *Measured* the minimum and maximum of the accounts in \`agency\`. A test checks that the data stays within these bounds. \`npm run data-report\`
prints the figures for \`agency\`, \`solo\` and \`large\` with three seeds. An account is excluded from a figure if it has too few fans or messages for a meaningful value.
`

/** Accounts with fewer fans are not plotted, because their data varies too much. */
const minFans = 100

/** Generates docs/data.md and its plots. */
export async function generateDataReport(): Promise<GeneratedFile[]> {
  const sandbox = createSandbox({ scenario: 'agency' })
  await sandbox.ready
  const figures = measureSandbox(sandbox)
  const accounts = figures.accounts.filter(({ fans }) => fans >= minFans)
  const weeks = { from: 'two years before', until: 'now' }
  const percent = (value: number) => `${Math.round(value * 100)} %`
  const dollars = (value: number) => `$${Math.round(value)}`
  const series = (values: (account: AccountFigures) => readonly number[]) =>
    accounts.map((account) => ({ name: account.username, values: values(account) }))
  const plots = [
    {
      name: 'subscribers',
      note:
        'Number of subscribers at the end of each week. Fans subscribe through links, through ' +
        'promotions or directly. The number increases faster after a campaign or a viral post.',
      content: plotLines(
        series((each) => each.subscribers),
        { title: 'Subscribers', ...weeks, unit: String },
      ),
    },
    {
      name: 'survival',
      note:
        'Retention: share of new subscribers who are still subscribed after one month, two ' +
        'months and so on. Many subscribers leave after one month, and some return later.',
      content: plotLines(
        series((each) => each.survival),
        {
          title: 'Still subscribed, by months',
          from: 'first day',
          until: '12 months',
          unit: percent,
        },
      ),
    },
    {
      name: 'gross',
      note: 'Total fan payments per week. The peaks are caused by streams, viral posts and campaigns.',
      content: plotLines(
        series((each) => each.weeks),
        { title: 'Gross by week', ...weeks, unit: dollars },
      ),
    },
    {
      name: 'weekdays',
      note: 'Total fan payments by day of the week.',
      content: plotBars(
        series((each) => each.weekdays.map((day) => day / each.gross)),
        ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'],
        { title: 'Gross by day of the week', from: '', until: '', unit: percent },
      ),
    },
    {
      name: 'sources',
      note: 'Sources of income.',
      content: plotBars(
        series((each) => sources.map((source) => each.mix[source])),
        sources,
        {
          title: 'Gross by source',
          from: '',
          until: '',
          unit: percent,
        },
      ),
    },
    {
      name: 'views',
      note:
        'Views of posts by week of publication. Most posts are seen only by subscribers. Viral ' +
        'posts are also seen by visitors.',
      content: plotLines(
        series((each) => each.views),
        { title: 'Views of the posts of a week', ...weeks, unit: String },
      ),
    },
  ]
  const page = [
    introduction,
    ...plots.map(({ name, note }) => `![${name}](data/${name}.svg)\n\n${note}\n`),
    '## Figures\n',
    formatFiguresTable(figures),
    '## Days with unusually high income\n',
    formatSpikesTable(accounts),
    '## Mass messages\n',
    formatMessagesTable(accounts),
    bounds,
    formatMarkdownTable(
      ['Topic', 'Figure', 'Bound', 'Measured'],
      toBoundsTable(await measureBounds(sandbox)),
    ),
    formatOtherFigures(figures),
  ]
  return [
    { path: 'docs/data.md', content: page.join('\n') },
    ...plots.map(({ name, content }) => ({ path: `docs/data/${name}.svg`, content })),
  ]
}

function formatFiguresTable({ accounts }: Figures): string {
  const percent = (value: number) => `${Math.round(value * 100)} %`
  const none = '–'
  return formatMarkdownTable(
    [
      'Account',
      'Joined',
      'Fans',
      'Subscribed',
      'Lost per month',
      'Returned',
      'Gross',
      ...sources,
      'Best / worst weekday',
      'Tips',
    ],
    accounts.map((each) => [
      each.username,
      each.joinDate.slice(0, 10),
      String(each.fans),
      String(each.active),
      each.fans === 0 ? none : percent(each.churn),
      String(each.returned),
      `$${Math.round(each.gross)}`,
      ...sources.map((source) => percent(each.mix[source])),
      each.gross === 0
        ? none
        : (Math.max(...each.weekdays) / Math.min(...each.weekdays)).toFixed(2),
      each.tips.values === 0
        ? none
        : `${each.tips.values} amounts, $${each.tips.least} to $${each.tips.most}`,
    ]),
  )
}

function formatSpikesTable(accounts: readonly AccountFigures[]): string {
  return formatMarkdownTable(
    ['Account', 'Day', 'Multiple of a typical day', 'Cause'],
    accounts.flatMap(({ username, spikes }) =>
      spikes.map(({ day, times, cause }) => [
        username,
        day,
        times.toFixed(1),
        cause ?? 'a few large payments',
      ]),
    ),
  )
}

function formatMessagesTable(accounts: readonly AccountFigures[]): string {
  const range = (values: readonly number[], write: (value: number) => string) =>
    values.length === 0 ? '' : `${write(Math.min(...values))} to ${write(Math.max(...values))}`
  const percent = (value: number) => `${Math.round(value * 100)} %`
  return formatMarkdownTable(
    ['Account', 'Sent', 'Recipients', 'Seen by', 'Bought by'],
    accounts.map(({ username, massMessages }) => [
      username,
      String(massMessages.length),
      range(
        massMessages.map(({ recipients }) => recipients),
        String,
      ),
      range(
        massMessages.map(({ seen }) => seen),
        percent,
      ),
      range(
        massMessages.flatMap(({ bought }) => bought ?? []),
        percent,
      ),
    ]),
  )
}

function formatOtherFigures({ accountsOfFans, vatRates, accounts }: Figures): string {
  const undone = (kind: 'refunds' | 'chargebacks') =>
    accounts.reduce((sum, account) => sum + account.undone[kind], 0)
  return `
## Others

- ${accountsOfFans.map((count, place) => `${count} fans subscribed to ${place === 0 ? 'one account' : `${place + 1} accounts`}`).join(', ')}.
- ${undone('refunds')} refunds. ${undone('chargebacks')} chargebacks, including undecided ones.
- VAT by the country of the fan: ${vatRates.join(', ')} %.
`
}
