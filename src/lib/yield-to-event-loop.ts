/**
 * Resolves after the event loop has run other tasks. Resolves at once where there is no
 * `MessageChannel`, as in jsdom.
 *
 * @note A timer would take longer, and would never fire in tests with fake timers.
 */
export function yieldToEventLoop(): Promise<void> {
  if (!('MessageChannel' in globalThis)) return Promise.resolve()
  const { port1, port2 } = new MessageChannel()
  return new Promise((resolve) => {
    const end = () => {
      port1.close()
      resolve()
    }
    port1.addEventListener('message', end, { once: true })
    port1.start()
    port2.postMessage(null)
  })
}
