import { web } from './node-globals.ts'

/** Decodes base64 with a loop, because a callback per byte would be ten times slower. */
export function decodeBase64(encoded: string): Uint8Array<ArrayBuffer> {
  const text = atob(encoded)
  const bytes = new Uint8Array(text.length)
  for (let index = 0; index < text.length; index += 1) bytes[index] = text.charCodeAt(index)
  return bytes
}

/** Decompresses a text that is stored as DEFLATE in base64. */
export async function inflateText(encoded: string): Promise<string> {
  const { readable, writable } = new web.DecompressionStream('deflate-raw')
  const writer = writable.getWriter()
  const written = writer.write(decodeBase64(encoded)).then(() => writer.close())
  const [text] = await Promise.all([readText(readable.getReader()), written])
  return text
}

/** Reads chunks, because test environments may replace `Response` by one without streams. */
async function readText(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for (let part = await reader.read(); !part.done; part = await reader.read())
    text += decoder.decode(part.value, { stream: true })
  return text
}
