/** CPU time of `doReferenceWork` on the idle machine for which the bounds were chosen, ms. */
const referenceMs = 40
const rows = 60_000

/**
 * Measures how much slower this machine is now than the machine for which the bounds of this run
 * were chosen. Returns at least 1, so a faster machine has the same bounds. Other processes also
 * slow down the machine, because they share its caches.
 */
export function measureSlowness(): number {
  const times = [doReferenceWork(), doReferenceWork(), doReferenceWork()].sort((a, b) => a - b)
  return Math.max(1, (times[1] ?? 0) / referenceMs)
}

// The first calls are slower, because V8 has not optimised the code yet.
for (let call = 0; call < 5; call += 1) doReferenceWork()

/** Creates, finds and sorts objects, as requests do. Returns the CPU time, ms. */
function doReferenceWork(): number {
  const start = process.cpuUsage()
  const objects = Array.from({ length: rows }, (_, index) => ({
    id: (index * 7919) % rows,
    text: String((index * 31) % rows),
  }))
  const byObject = new Map(objects.map((object) => [object, object.id]))
  for (const object of objects) byObject.set(object, (byObject.get(object) ?? 0) + 1)
  objects.sort((a, b) => (a.text < b.text ? -1 : 1))
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1000
}
