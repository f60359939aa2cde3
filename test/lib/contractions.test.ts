import { expect, it } from 'vitest'
import { contract } from '../../src/lib/contractions.ts'

it.each([
  ['I do not know. It is late', "I don't know. It's late"],
  ['cannot sleep, could not either', "can't sleep, couldn't either"],
  ['I will not, I would not', "I won't, I wouldn't"],
  ['I am {job} and you are nice', "I'm {job} and you're nice"],
  ['What is new? how is {boss}', "What's new? how's {boss}"],
  ['so here I am', 'so here I am'],
  ['What is it?', 'What is it?'],
  ['I have a dog and have not slept', "I have a dog and haven't slept"],
])('writes %j as people do in chats', (phrase, contracted) => {
  expect(contract(phrase)).toBe(contracted)
})
