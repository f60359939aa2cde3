/** A quick checksum of many bytes. It shows that they were changed by mistake; whoever wants to can find other bytes of the same digest. */
export class Digest {
  #first = 0x1eef_cafe
  #second = 0x41c6_ce57

  /** Adds some bytes. The pieces in which they come count, too. */
  add(bytes: Uint8Array): void {
    // Four bytes at once take a fifth of the time.
    const isAligned = bytes.byteOffset % 4 === 0
    const { buffer, byteOffset } = isAligned ? bytes : bytes.slice()
    const words = new Uint32Array(buffer, byteOffset, bytes.length >> 2)
    this.#mix(words)
    this.#mix(bytes.subarray(words.length * 4))
  }

  /** The digest of all that was added: 16 hexadecimal digits. */
  get text(): string {
    return [this.#first, this.#second].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('')
  }

  #mix(numbers: Uint32Array | Uint8Array): void {
    let first = this.#first
    let second = this.#second
    for (let place = 0; place < numbers.length; place += 1) {
      const number = numbers[place] as number
      first = Math.imul(first ^ number, 0x1b87_3593)
      first ^= first >>> 15
      second = Math.imul(second ^ number, 0x5f35_6495)
      second ^= second >>> 13
    }
    this.#first = first
    this.#second = Math.imul(second ^ numbers.length, 0x5f35_6495)
  }
}
