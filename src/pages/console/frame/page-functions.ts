import { splitIntoLowerWords } from '../../../lib/typo.ts'
import { copyToClipboard } from '../../shared/copy-button.tsx'
import { useStoreState, useStore } from '../../shared/hooks.ts'
import { openMenu } from '../shared/menu.tsx'
import { toHash, views } from '../shared/place.ts'
import { saveTheme, themeLabels, themes } from '../../shared/theme.tsx'
import { toggleStage } from '../timeline/keyboard.ts'
import { clockMenuId } from './clock-menu.tsx'
import { scenarioMenuId } from './scenario-menu.tsx'
import { worldMenuId } from './world-menu.tsx'

/** A console function that the search can find. */
export interface PageFunction {
  text: string
  /** Additional search words. */
  words: string
  /** The place in the console to open, or the function to call. */
  goal: string | (() => void)
}

const wordsOfViews: Readonly<Record<keyof typeof views, string>> = {
  overview: 'home start figures plots revenue limits',
  requests: 'journal log har export delete hide errors',
  actions: 'faults fail simulate',
  data: 'tables records snapshot file record save changes',
  access: 'api permissions roles address token',
  audit: 'mistakes findings warnings credits',
}

export function usePageFunctions(showHelp: () => void): readonly PageFunction[] {
  const store = useStore()
  const undoable = useStoreState(
    (state) => state.toasts.find(({ undo }) => undo !== undefined)?.text,
  )
  const copyLink = () =>
    copyToClipboard(location.href).then(() => store.showToast('Copied the link.'))
  return [
    ...(undoable === undefined
      ? []
      : [{ text: `Undo: ${undoable}`, words: '', goal: () => void store.undo() }]),
    {
      text: 'Move the clock',
      words: 'time advance freeze run rate',
      goal: createMenuOpener(clockMenuId),
    },
    {
      text: 'Save or restore a state, reset or load a scenario',
      words: 'undo restore snapshot keep',
      goal: createMenuOpener(scenarioMenuId),
    },
    {
      text: 'Open, fork or remove a world',
      words: 'new create',
      goal: createMenuOpener(worldMenuId),
    },
    {
      text: 'Requests of all worlds',
      words: '',
      goal: toHash({ view: 'requests', filters: { worlds: 'all' } }),
    },
    {
      text: 'What changed since load',
      words: 'changes diff',
      goal: toHash({ view: 'data', filters: { since: 'load' } }),
    },
    {
      text: 'Remove faults',
      words: 'end stop',
      goal: toHash({ view: 'actions', item: 'fault.add' }),
    },
    { text: 'Copy link', words: 'share address url', goal: () => void store.attempt(copyLink) },
    ...themes.map((theme) => ({
      text: `Colours: ${themeLabels[theme]}`,
      words: 'theme mode colors',
      goal: () => saveTheme(theme),
    })),
    { text: 'Stage', words: 'full screen present audience', goal: toggleStage },
    { text: 'Keys of the keyboard', words: 'help shortcuts', goal: showHelp },
    { text: 'Documentation of the API', words: 'docs help', goal: `../docs${location.search}` },
    ...(Object.keys(views) as (keyof typeof views)[]).map((view) => ({
      text: `Page ${views[view]}`,
      words: wordsOfViews[view],
      goal: toHash({ view }),
    })),
  ]
}

/** Returns all search words of a console function, in lower case. */
export function listSearchWords({ text, words }: PageFunction): readonly string[] {
  return splitIntoLowerWords(`${text} ${words}`)
}

/** Returns a function that opens a menu after the search has closed. */
function createMenuOpener(id: string): () => void {
  return () => requestAnimationFrame(() => openMenu(id))
}
