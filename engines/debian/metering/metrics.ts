/** LXD's metrics of a server. */
export type Reading = { cpuSeconds: number; memoryBytes: number; outBytes: number }

const line = /^(lxd_\w+)\{([^}]*)\} (\S+)$/
const label = (labels: string, name: string) => new RegExp(`(?:^|,)${name}="([^"]*)"`).exec(labels)?.[1] ?? ''

export const serverKey = (project: string, name: string) => `${project}/${name}`

function count(reading: Reading, metric: string, labels: string, value: number): void {
  if (metric === 'lxd_cpu_seconds_total') {
    const mode = label(labels, 'mode')
    if (mode === 'user' || mode === 'system') reading.cpuSeconds += value
  } else if (metric === 'lxd_memory_MemTotal_bytes') reading.memoryBytes += value
  else if (metric === 'lxd_memory_MemAvailable_bytes') reading.memoryBytes -= value
  else if (metric === 'lxd_network_transmit_bytes_total' && label(labels, 'device') !== 'lo')
    reading.outBytes += value
}

const counted =
  /^lxd_(cpu_seconds_total|memory_MemTotal_bytes|memory_MemAvailable_bytes|network_transmit_bytes_total)\{/

/** Reads the text of `/1.0/metrics` (OpenMetrics), by project and name. */
export function readMetrics(text: string): Map<string, Reading> {
  const readings = new Map<string, Reading>()
  // LXD 5.0 lists servers of projects twice, with the same labels: summed, each would count double.
  const known = new Set<string>()
  for (const row of text.split('\n')) {
    if (!counted.test(row)) continue
    const [, metric = '', labels = '', value = ''] = line.exec(row) ?? []
    if (known.has(`${metric} ${labels}`)) continue
    known.add(`${metric} ${labels}`)
    const key = serverKey(label(labels, 'project'), label(labels, 'name'))
    const reading = readings.get(key) ?? { cpuSeconds: 0, memoryBytes: 0, outBytes: 0 }
    readings.set(key, reading)
    count(reading, metric, labels, Number(value))
  }
  return readings
}
