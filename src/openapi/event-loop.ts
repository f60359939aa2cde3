/**
 * Resolves after the event loop has run other tasks.
 *
 * @note A timer would take longer, and would never fire in tests with fake timers.
 */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.addEventListener('message', () => {
      port1.close()
      resolve()
    })
    port1.start()
    port2.postMessage(null)
  })
}
