import { importModules } from '../lib/import-modules.ts'
import type { Faker, LocaleDefinition, Randomizer } from '@faker-js/faker'
import { SandboxError } from '../errors.ts'
import { findNearestWord } from '../lib/nearest-word.ts'
import type { Random } from '../world/random.ts'

export type { Faker }

type Load = () => Promise<{ readonly faker: Faker }>

/** The locales of faker. Each entry is a literal import, because bundlers follow no computed one. */
const locales = {
  af_ZA: () => import('@faker-js/faker/locale/af_ZA'),
  ar: () => import('@faker-js/faker/locale/ar'),
  az: () => import('@faker-js/faker/locale/az'),
  base: () => import('@faker-js/faker/locale/base'),
  bn_BD: () => import('@faker-js/faker/locale/bn_BD'),
  cs_CZ: () => import('@faker-js/faker/locale/cs_CZ'),
  cy: () => import('@faker-js/faker/locale/cy'),
  da: () => import('@faker-js/faker/locale/da'),
  de: () => import('@faker-js/faker/locale/de'),
  de_AT: () => import('@faker-js/faker/locale/de_AT'),
  de_CH: () => import('@faker-js/faker/locale/de_CH'),
  dv: () => import('@faker-js/faker/locale/dv'),
  el: () => import('@faker-js/faker/locale/el'),
  en: () => import('@faker-js/faker/locale/en'),
  en_AU: () => import('@faker-js/faker/locale/en_AU'),
  en_AU_ocker: () => import('@faker-js/faker/locale/en_AU_ocker'),
  en_BORK: () => import('@faker-js/faker/locale/en_BORK'),
  en_CA: () => import('@faker-js/faker/locale/en_CA'),
  en_GB: () => import('@faker-js/faker/locale/en_GB'),
  en_GH: () => import('@faker-js/faker/locale/en_GH'),
  en_HK: () => import('@faker-js/faker/locale/en_HK'),
  en_IE: () => import('@faker-js/faker/locale/en_IE'),
  en_IN: () => import('@faker-js/faker/locale/en_IN'),
  en_NG: () => import('@faker-js/faker/locale/en_NG'),
  en_NP: () => import('@faker-js/faker/locale/en_NP'),
  en_US: () => import('@faker-js/faker/locale/en_US'),
  en_ZA: () => import('@faker-js/faker/locale/en_ZA'),
  eo: () => import('@faker-js/faker/locale/eo'),
  es: () => import('@faker-js/faker/locale/es'),
  es_MX: () => import('@faker-js/faker/locale/es_MX'),
  fa: () => import('@faker-js/faker/locale/fa'),
  fi: () => import('@faker-js/faker/locale/fi'),
  fr: () => import('@faker-js/faker/locale/fr'),
  fr_BE: () => import('@faker-js/faker/locale/fr_BE'),
  fr_CA: () => import('@faker-js/faker/locale/fr_CA'),
  fr_CH: () => import('@faker-js/faker/locale/fr_CH'),
  fr_LU: () => import('@faker-js/faker/locale/fr_LU'),
  fr_SN: () => import('@faker-js/faker/locale/fr_SN'),
  he: () => import('@faker-js/faker/locale/he'),
  hr: () => import('@faker-js/faker/locale/hr'),
  hu: () => import('@faker-js/faker/locale/hu'),
  hy: () => import('@faker-js/faker/locale/hy'),
  id_ID: () => import('@faker-js/faker/locale/id_ID'),
  it: () => import('@faker-js/faker/locale/it'),
  ja: () => import('@faker-js/faker/locale/ja'),
  ka_GE: () => import('@faker-js/faker/locale/ka_GE'),
  ko: () => import('@faker-js/faker/locale/ko'),
  ku_ckb: () => import('@faker-js/faker/locale/ku_ckb'),
  ku_kmr_latin: () => import('@faker-js/faker/locale/ku_kmr_latin'),
  lv: () => import('@faker-js/faker/locale/lv'),
  mk: () => import('@faker-js/faker/locale/mk'),
  mn_MN_cyrl: () => import('@faker-js/faker/locale/mn_MN_cyrl'),
  nb_NO: () => import('@faker-js/faker/locale/nb_NO'),
  ne: () => import('@faker-js/faker/locale/ne'),
  nl: () => import('@faker-js/faker/locale/nl'),
  nl_BE: () => import('@faker-js/faker/locale/nl_BE'),
  pl: () => import('@faker-js/faker/locale/pl'),
  pt_BR: () => import('@faker-js/faker/locale/pt_BR'),
  pt_PT: () => import('@faker-js/faker/locale/pt_PT'),
  ro: () => import('@faker-js/faker/locale/ro'),
  ro_MD: () => import('@faker-js/faker/locale/ro_MD'),
  ru: () => import('@faker-js/faker/locale/ru'),
  sk: () => import('@faker-js/faker/locale/sk'),
  sl_SI: () => import('@faker-js/faker/locale/sl_SI'),
  sr_RS_latin: () => import('@faker-js/faker/locale/sr_RS_latin'),
  sv: () => import('@faker-js/faker/locale/sv'),
  ta_IN: () => import('@faker-js/faker/locale/ta_IN'),
  th: () => import('@faker-js/faker/locale/th'),
  tr: () => import('@faker-js/faker/locale/tr'),
  uk: () => import('@faker-js/faker/locale/uk'),
  ur: () => import('@faker-js/faker/locale/ur'),
  uz_UZ_latin: () => import('@faker-js/faker/locale/uz_UZ_latin'),
  vi: () => import('@faker-js/faker/locale/vi'),
  yo_NG: () => import('@faker-js/faker/locale/yo_NG'),
  zh_CN: () => import('@faker-js/faker/locale/zh_CN'),
  zh_TW: () => import('@faker-js/faker/locale/zh_TW'),
  zu_ZA: () => import('@faker-js/faker/locale/zu_ZA'),
} as const satisfies Record<string, Load>

/** The name of a locale of faker, such as `de`. */
export type LocaleName = keyof typeof locales

/** The names of all locales of faker. */
export const localeNames = Object.keys(locales) as LocaleName[]

/**
 * Loaded locales of faker. All their values come from the random source that the caller gives, so a
 * value depends only on its record.
 */
export class Fakers {
  readonly #byLocale = new Map<string, Faker>()
  /** The random source of the current record. */
  #random: Random | undefined

  /**
   * Loads locales. `now` is the start of the clock, epoch ms: dates such as `date.past` refer to it.
   * @throws {SandboxError} for an unknown locale, or if the locale cannot be loaded
   */
  static async load(names: Iterable<string>, now: number): Promise<Fakers> {
    const fakers = new Fakers()
    await Promise.all([...new Set(names)].map((name) => fakers.#load(name, now)))
    return fakers
  }

  /** Returns the faker of a loaded locale. All fakers draw from `random` until the next call. */
  at(locale: string, random: Random): Faker {
    const faker = this.#byLocale.get(locale)
    if (faker === undefined)
      throw new SandboxError(`Failed to use faker (locale ${locale}): the locale is not loaded.`)
    this.#random = random
    return faker
  }

  async #load(name: string, now: number): Promise<void> {
    // The random source of the record is the seed, so faker must not set another one.
    const randomizer = { next: () => this.#random?.next() ?? 0, seed: () => {} }
    this.#byLocale.set(name, createFaker(await loadLocale(name), randomizer, now))
  }
}

/**
 * Loads a locale.
 * @throws {SandboxError} for an unknown locale, or if it cannot be loaded
 */
export async function loadLocale(name: string): Promise<Faker> {
  const load = (locales as Record<string, Load | undefined>)[name]
  if (load === undefined || !Object.hasOwn(locales, name)) {
    const near = findNearestWord(localeNames, name)
    throw new SandboxError(
      `Failed to load faker (locale ${name}): faker has no such locale` +
        `${near === undefined ? '' : `; did you mean ${near}`}. Choose one of ` +
        `${localeNames.join(', ')}.`,
    )
  }
  try {
    return (await importModules(load)).faker
  } catch (error) {
    throw new SandboxError(
      `Failed to load faker (locale ${name}): ${(error as Error).message}. The package is ESM ` +
        'only. In Jest, add @faker-js/faker to the packages that are transformed ' +
        '(transformIgnorePatterns), or run the tests as ES modules.',
      { cause: error },
    )
  }
}

/** Creates a separate faker with the texts of a loaded one. */
export function createFaker(
  { constructor, rawDefinitions }: Faker,
  randomizer: Randomizer,
  now: number,
): Faker {
  const Constructor = constructor as new (options: {
    locale: LocaleDefinition
    randomizer: Randomizer
  }) => Faker
  const faker = new Constructor({ locale: rawDefinitions, randomizer })
  faker.setDefaultRefDate(now)
  return faker
}
