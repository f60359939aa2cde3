import { expect, it } from 'vitest'
import {
  explainDeniedAccess,
  explainReadError,
  explainWriteError,
  isMissingPackage,
} from '../../src/lib/file-errors.ts'

/** Creates an error of the permission model of Node.js. */
const deny = (permission: string) =>
  Object.assign(new Error('Access to this API has been restricted'), {
    code: 'ERR_ACCESS_DENIED',
    permission,
  })

it.each([
  ['FileSystemRead', explainReadError, '--allow-fs-read'],
  ['FileSystemWrite', explainWriteError, '--allow-fs-write'],
  ['ChildProcess', explainDeniedAccess, '--allow-child-process'],
  ['WorkerThreads', explainDeniedAccess, '--allow-worker'],
])('names the option of Node.js if its permission model denies %s', (permission, explain, flag) => {
  expect(explain(deny(permission))).toBe(
    `the permission model of Node.js denies it (ERR_ACCESS_DENIED). Add the Node.js option ${flag}`,
  )
})

it("recognises a missing package, also in Yarn Plug'n'Play", () => {
  const errors = ['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND', 'EACCES'].map((code) => ({ code }))
  expect(errors.map(isMissingPackage)).toEqual([true, true, false])
})
