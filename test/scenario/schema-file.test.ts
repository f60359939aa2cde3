import { readdirSync, readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import { expect, it } from 'vitest'
import { parse } from 'yaml'

const root = new URL('../../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), 'utf8')
// Formats are not validated, because the patterns already cover them.
const validate = new Ajv({ strict: false, validateFormats: false, allErrors: true }).compile(
  JSON.parse(read('scenarios/scenario.schema.json')),
)
const errorsOf = (yaml: string) =>
  validate(parse(yaml, { merge: true }))
    ? []
    : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
const shipped = readdirSync(new URL('scenarios', root)).filter((file) => file.endsWith('.yaml'))
const [, story = ''] =
  /```yaml\n(extends: solo\nname: my-story[^]*?)```/.exec(read('docs/stories.md')) ?? []

it.each(shipped)('shows no mistakes in %s in editors', (file) => {
  expect(errorsOf(read(`scenarios/${file}`))).toEqual([])
})

it('accepts the story of the docs without warnings in editors', () => {
  expect(story).toContain('do: { type:')
  expect(story).toContain('do: [{ type:')
  expect(errorsOf(story)).toEqual([])
})

it('accepts templates, counts and a language in editors', () => {
  const step = "{ at: 1m, do: { type: subscriber.new, username: '{{internet.username}}' } }"
  const yaml = `
extends: solo
name: mine
locale: de
records: { fans: [{ count: 3, name: '{{person.fullName}}' }] }
timeline: [${step}]`
  expect(errorsOf(yaml)).toEqual([])
  expect(errorsOf(yaml.replace('count: 3', 'count: 1e9'))).not.toEqual([])
  expect(errorsOf(yaml.replace('locale: de', 'locale: den'))).not.toEqual([])
})

it.each([
  [
    'an unknown field of a step',
    'do: { type: tip',
    'to: { type: tip',
    '/timeline/2 must NOT have additional properties',
  ],
  [
    'an unknown field of an action',
    'text: Are you there?',
    'txt: Are you there?',
    '/timeline/1/do must NOT have additional properties',
  ],
  [
    'an unknown action of a list',
    'do: [{ type: session.restore',
    'do: [{ type: session.rest',
    '/timeline/4/do/0/type must be equal to constant',
  ],
  [
    'a file that neither extends another nor is complete',
    'extends: solo',
    'title: Solo',
    " must have required property 'organisations'",
  ],
])('makes editors mark %s', (_, good, bad, error) => {
  expect(errorsOf(story.replace(good, bad))).toContain(error)
})
