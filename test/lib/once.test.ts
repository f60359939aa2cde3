import { expect, it } from 'vitest'
import { once } from '../../src/lib/lazy-list.ts'

it('creates a value on first use, and always returns the same one afterwards', () => {
  let made = 0
  const read = once(() => ({ number: (made += 1) }))
  expect(made).toBe(0)
  expect(read()).toBe(read())
  expect(read()).toEqual({ number: 1 })
})

it('also caches undefined', () => {
  let asked = 0
  const read = once(() => {
    asked += 1
    return undefined
  })
  read()
  read()
  expect(asked).toBe(1)
})

it('tries again after a failure', () => {
  let asked = 0
  const read = once(() => {
    asked += 1
    if (asked === 1) throw new Error('Not yet')
    return asked
  })
  expect(read).toThrow('Not yet')
  expect(read()).toBe(2)
})
