import { open } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import type { WorldJson } from '../world/snapshot/written-snapshot.ts'

/** Some rows of a table, one after the other, and where a file has their text, bytes. */
interface Block {
  rows: readonly object[]
  start: number
  end: number
}

/** What a state file holds, so that the next one can take the text of unchanged records from it. */
export interface Written {
  /** The blocks by their first rows. */
  blocks: ReadonlyMap<object, Block>
  /** The file, so that a change by another hand shows. */
  mark: string
}

/** How much text is written at once, characters: some ms of work. */
const pieceSize = 128 * 1024
/**
 * Blocks with less text are written anew together with what comes after them, so that blocks do not
 * get ever smaller. Bytes.
 */
const leastBlock = pieceSize / 8
/** How much text is copied at once, bytes. */
const copySize = 4 * 1024 * 1024

/**
 * Writes a world into an empty file, the bytes of `JSON.stringify(world)`, piece by piece: other
 * work goes on in between. Records are frozen, so all of it is of one moment. What a file written
 * before has of them is copied from there.
 */
export async function writeDraft(
  draft: FileHandle,
  { tables, digest, ...head }: WorldJson,
  known?: { path: string; written: Written },
): Promise<Written> {
  const source = known === undefined ? undefined : await openUnchanged(known.path, known.written)
  try {
    const output = new Output(draft, source)
    const before =
      source === undefined
        ? new Map<object, Block>()
        : (known?.written.blocks ?? new Map<object, Block>())
    const blocks = new Map<object, Block>()
    await output.text(`${JSON.stringify(head).slice(0, -1)},"tables":{`)
    for (const [index, [name, rows]] of Object.entries(tables).entries()) {
      await output.text(`${index === 0 ? '' : ','}${JSON.stringify(name)}:[`)
      for await (const block of writeRows(output, rows, before))
        if (block.end - block.start >= leastBlock) blocks.set(block.rows[0] as object, block)
      await output.text(']')
    }
    await output.text(digest === undefined ? '}}' : `},"digest":${JSON.stringify(digest)}}`)
    await output.flush()
    await draft.sync()
    return { blocks, mark: await markOf(draft) }
  } finally {
    await source?.close()
  }
}

async function* writeRows(
  output: Output,
  rows: readonly object[],
  before: ReadonlyMap<object, Block>,
): AsyncGenerator<Block> {
  for (let place = 0; place < rows.length;) {
    if (place > 0) await output.text(',')
    const known = before.get(rows[place] as object)
    const isUnchanged =
      known !== undefined && known.rows.every((row, offset) => rows[place + offset] === row)
    const start = output.position
    if (isUnchanged) {
      await output.copy(known)
      yield { ...known, start, end: output.position }
      place += known.rows.length
      continue
    }
    let text = JSON.stringify(rows[place])
    let end = place + 1
    for (
      ;
      end < rows.length && text.length < pieceSize && !before.has(rows[end] as object);
      end += 1
    )
      text += `,${JSON.stringify(rows[end])}`
    await output.text(text)
    yield { rows: rows.slice(place, end), start, end: output.position }
    place = end
  }
}

/** The end of a file that is being written. */
class Output {
  /** Where the file ends, with all that was given to it, bytes. */
  position = 0
  readonly #draft: FileHandle
  readonly #source: FileHandle | undefined
  #text = ''
  /** What is to be copied after the text. */
  #copied = { start: 0, end: 0 }

  constructor(draft: FileHandle, source: FileHandle | undefined) {
    this.#draft = draft
    this.#source = source
  }

  async text(text: string): Promise<void> {
    // The comma between two blocks that stand side by side in the source is copied with them.
    if (this.#copied.end > 0 && text !== ',') await this.flush()
    this.#text += text
    this.position += Buffer.byteLength(text)
    if (this.#text.length >= pieceSize) await this.flush()
  }

  async copy({ start, end }: Block): Promise<void> {
    const isNext = this.#copied.end > 0 && start === this.#copied.end + 1 && this.#text === ','
    if (isNext) this.#text = ''
    else await this.flush()
    this.#copied = { start: isNext ? this.#copied.start : start, end }
    this.position += end - start
  }

  async flush(): Promise<void> {
    const { start, end } = this.#copied
    this.#copied = { start: 0, end: 0 }
    if (end > 0) await this.#copyAll(start, end)
    const text = this.#text
    this.#text = ''
    if (text !== '') await this.#draft.appendFile(text)
  }

  async #copyAll(start: number, end: number): Promise<void> {
    const buffer = Buffer.allocUnsafe(Math.min(copySize, end - start))
    for (let position = start; position < end;) {
      const { bytesRead } = (await this.#source?.read(
        buffer,
        0,
        Math.min(buffer.length, end - position),
        position,
      )) ?? { bytesRead: 0 }
      if (bytesRead === 0) throw new Error('the file became shorter while it was read')
      await this.#draft.appendFile(buffer.subarray(0, bytesRead))
      position += bytesRead
    }
  }
}

/** Opens what was written before; undefined when it is no longer that file. */
async function openUnchanged(path: string, { mark }: Written): Promise<FileHandle | undefined> {
  // What cannot be read, or is gone, is written anew.
  const source = await open(path, 'r').catch(() => undefined)
  if (source === undefined || (await markOf(source)) === mark) return source
  await source.close()
  return undefined
}

async function markOf(file: FileHandle): Promise<string> {
  const { ino, size, mtimeMs } = await file.stat()
  return `${ino} ${size} ${mtimeMs}`
}
