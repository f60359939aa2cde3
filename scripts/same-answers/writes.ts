import type { Sandbox } from 'creator-api-sandbox'
import { createValidRequests } from './valid-requests.ts'
import { readAllTables } from './data.ts'
import type { Exchange, Observation } from './exchange.ts'
import { isReadOperation } from './operations.ts'
import type { Operation } from './operations.ts'
import { sendAll, sendRequest } from './send.ts'
import type { Subject } from './subject.ts'

/**
 * Runs each kind of write in its own fork. Then records the responses to the reads of the same
 * group, and the tables that the write changed.
 */
export async function* observeWrites(
  { sandbox, account }: Subject,
  operations: readonly Operation[],
): AsyncGenerator<Observation> {
  for (const write of operations) {
    if (isReadOperation(write)) continue
    for (let index = 0, length = 1; index < length; index += 1) {
      using fork = sandbox.fork()
      const asks = await createValidRequests(fork, write, { account, most: 1 })
      length = asks.length
      if (length === 0) break
      const written = await sendRequest(fork, asks[index]!)
      const beside = operations.filter(
        (each) => isReadOperation(each) && each.group === write.group,
      )
      const shown = await runAllReads(fork, beside, account)
      const name = `${write.id}: written${index > 0 ? ` ${index + 1}` : ''}`
      yield { name, exchanges: [written, ...shown] }
      yield { name: `${name}, tables`, exchanges: readAllTables(fork) }
    }
  }
}

/** Runs all writes in sequence in one sandbox, in the order of the document. */
export function runAllWrites(
  sandbox: Sandbox,
  operations: readonly Operation[],
  account: number,
): Promise<Exchange[]> {
  const writes = operations.filter((operation) => !isReadOperation(operation))
  return runAll(sandbox, writes, account)
}

/** Sends a valid request to each of the given read operations. */
export function runAllReads(
  sandbox: Sandbox,
  operations: readonly Operation[],
  account: number,
): Promise<Exchange[]> {
  return runAll(sandbox, operations.filter(isReadOperation), account)
}

async function runAll(
  sandbox: Sandbox,
  operations: readonly Operation[],
  account: number,
): Promise<Exchange[]> {
  const exchanges: Exchange[] = []
  for (const operation of operations) {
    const asks = await createValidRequests(sandbox, operation, { account, most: 1 })
    exchanges.push(...(await sendAll(sandbox, asks)))
  }
  return exchanges
}
