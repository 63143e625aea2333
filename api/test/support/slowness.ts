const sampleMs = 200

/** How many times slower than an idle machine this one is just now: how long a computation takes, by how long it computed. */
export function slowness(): number {
  const begun = performance.now()
  const before = process.cpuUsage()
  const computed = () => {
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  }
  while (computed() < sampleMs);
  return Math.max(1, (performance.now() - begun) / sampleMs)
}
