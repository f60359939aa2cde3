/** Maximum nesting depth of a value. */
const deepest = 64
const float = new Float64Array(1)
const halves = new Uint32Array(float.buffer)

const start = { first: 0x1eef_cafe, second: 0x41c6_ce57 }

/**
 * A fast checksum of JSON values. It detects accidental changes, but not deliberate collisions.
 * Reads the values without serialising them, which would take twice as long.
 */
export class Digest {
  /** True if a value was nested too deeply, which makes the digest invalid. */
  isTooDeep = false
  #first = start.first
  #second = start.second
  /** Cache for the digests of object keys, because many records have the same keys. */
  readonly #keys = new Map<string, number>()

  /** Adds a value. Undefined fields are skipped, as in JSON. */
  add(value: unknown, depth = 0): void {
    switch (typeof value) {
      case 'string':
        return this.#addText(value)
      case 'number':
        return this.#addNumber(value)
      case 'boolean':
        return this.#mix(value ? 1 : 2)
      case 'object':
        return value === null ? this.#mix(3) : this.#addObject(value, depth)
    }
  }

  /** Returns the digest of all added values: 16 hexadecimal digits. */
  get text(): string {
    return [this.#first, this.#second]
      .map((half) => (half >>> 0).toString(16).padStart(8, '0'))
      .join('')
  }

  #addObject(value: object, depth: number): void {
    if (depth === deepest) {
      this.isTooDeep = true
    } else if (Array.isArray(value)) {
      this.#mix(value.length ^ 0x5bd1_e995)
      for (let index = 0; index < value.length; index += 1) this.add(value[index], depth + 1)
    } else {
      for (const key in value) {
        const part = value[key as keyof typeof value] as unknown
        if (part === undefined) continue
        this.#mix(this.#keys.get(key) ?? this.#keep(key))
        this.add(part, depth + 1)
      }
      this.#mix(4)
    }
  }

  #keep(key: string): number {
    const digest = new Digest()
    digest.add(key)
    const number = digest.#first
    this.#keys.set(key, number)
    return number
  }

  #addNumber(value: number): void {
    if (value === (value | 0)) return this.#mix(value)
    float[0] = value
    this.#mix(halves[0] ?? 0)
    this.#mix(halves[1] ?? 0)
  }

  /** Reads two characters at a time, which is twice as fast. */
  #addText(text: string): void {
    let first = this.#first
    let second = this.#second ^ text.length
    for (let index = 0; index < text.length; index += 2) {
      // If the length is odd, the last character code is NaN, which counts as 0.
      const number = text.charCodeAt(index) | (text.charCodeAt(index + 1) << 16)
      first = Math.imul(first ^ number, 0x1b87_3593)
      first ^= first >>> 15
      second = Math.imul(second ^ number, 0x5f35_6495)
      second ^= second >>> 13
    }
    this.#first = first
    this.#second = second
    this.#mix(5)
  }

  #mix(number: number): void {
    const first = Math.imul(this.#first ^ number, 0x1b87_3593)
    this.#first = first ^ (first >>> 15)
    const second = Math.imul(this.#second ^ number, 0x5f35_6495)
    this.#second = second ^ (second >>> 13)
  }
}
