/** Id of the main world. Keys without a world name use this world. */
export const mainId = 'main'

/** Pattern for the names of isolated worlds. */
export const worldNameForm = /^[a-z0-9-]{1,40}$/
/** Rule for names of worlds, for error messages. */
export const worldNameRule = 'it must have 1 to 40 characters of a-z, 0-9 and -'

/** Pattern for world ids: the main world and named worlds. */
export const worldIdForm = /^(?:main|_[a-z0-9-]{1,40})$/

/** Splits `<key>~<name>` into key and name. Undefined if there is no valid name. */
export function splitWorldKey(sent: string): { key: string; name: string } | undefined {
  const at = sent.lastIndexOf('~')
  const name = sent.slice(at + 1)
  return at > 0 && worldNameForm.test(name) ? { key: sent.slice(0, at), name } : undefined
}

/** Returns the id of an isolated world, for URLs that need no key. */
export function toWorldId(name: string): string {
  return `_${name}`
}

/** Returns the name of an isolated world. Undefined for the main world. */
export function toWorldName(id: string): string | undefined {
  return id.startsWith('_') ? id.slice(1) : undefined
}

/** Adds the name of a world to a key. */
export function addWorldToKey(key: string, id: string): string {
  return key + toKeySuffix(id)
}

/** Removes the name of a world from a key. */
export function removeWorldFromKey(key: string, id: string): string {
  const suffix = toKeySuffix(id)
  return suffix !== '' && key.endsWith(suffix) ? key.slice(0, -suffix.length) : key
}

function toKeySuffix(id: string): string {
  return id.startsWith('_') ? `~${id.slice(1)}` : ''
}
