/** The id of the world that a key opens by itself. No name gives this id. */
export const mainId = 'main'

/** What isolated worlds can be called. */
export const worldNameForm = /^[a-z0-9-]{1,40}$/
/** The same, as messages say it. */
export const worldNameRule = 'it must have 1 to 40 characters of a-z, 0-9 and -'

/**
 * What the ids of worlds look like: that of the main one, those of named ones, and those of earlier
 * versions, which snapshots hold.
 */
export const worldIdForm = /^(?:main|w[1-9]\d{0,14}|_[a-z0-9-]{1,40})$/

/**
 * Splits `<key>~<name>` into the key and the name of an isolated world; undefined when it names
 * none.
 */
export function splitKey(sent: string): { key: string; name: string } | undefined {
  const at = sent.lastIndexOf('~')
  const name = sent.slice(at + 1)
  return at > 0 && worldNameForm.test(name) ? { key: sent.slice(0, at), name } : undefined
}

/** The id of the isolated world of that name. Addresses that open without a key contain it. */
export function toWorldId(name: string): string {
  return `_${name}`
}

/** The name of the isolated world with that id; undefined for the main one. */
export function worldNameOf(id: string): string | undefined {
  return id.startsWith('_') ? id.slice(1) : undefined
}

/** The key that opens the same in the world with that id. */
export function withWorld(key: string, id: string): string {
  return key + suffixOf(id)
}

/** A key of the world with that id, without the name of that world. */
export function withoutWorld(key: string, id: string): string {
  const suffix = suffixOf(id)
  return suffix !== '' && key.endsWith(suffix) ? key.slice(0, -suffix.length) : key
}

function suffixOf(id: string): string {
  const name = worldNameOf(id)
  return name === undefined ? '' : `~${name}`
}
