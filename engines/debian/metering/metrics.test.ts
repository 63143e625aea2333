import { expect, test } from 'vitest'
import { readMetrics } from './metrics.ts'

const labels = 'name="web-1",project="portico-7",type="container"'
const lines = [
  '# HELP lxd_cpu_seconds_total The total number of CPU time used in seconds.',
  `lxd_cpu_seconds_total{cpu="0",mode="system",${labels}} 0.5`,
  `lxd_cpu_seconds_total{cpu="0",mode="user",${labels}} 2`,
  `lxd_cpu_seconds_total{cpu="1",mode="user",${labels}} 1`,
  `lxd_memory_MemAvailable_bytes{${labels}} 1.5e+06`,
  `lxd_memory_MemTotal_bytes{${labels}} 2e+06`,
  `lxd_network_transmit_bytes_total{device="eth0",${labels}} 70`,
  `lxd_network_transmit_bytes_total{device="lo",${labels}} 900`,
]
const read = { cpuSeconds: 3.5, memoryBytes: 500_000, outBytes: 70 }

test('the metrics of a server are summed over its processors, and loopback is left out', () => {
  expect([...readMetrics(lines.join('\n'))]).toEqual([['portico-7/web-1', read]])
})

test('a server that LXD lists twice counts once', () => {
  expect([...readMetrics([...lines, ...lines].join('\n'))]).toEqual([['portico-7/web-1', read]])
})
