import type { Store } from '../store/store.ts'

// Turns readings of counters into quantities of hours. A reading and what it adds are one transaction, so a crash between
// two readings counts nothing twice.

const hourMs = 3_600_000
const dayMs = 24 * hourMs
export const stepMs = 300_000

/** The panel and resource of a quantity. */
export type Subject = { readonly uuid: string; readonly panel: number; readonly resource: string }

export type ServerReading = Subject & {
  readonly runs: boolean
  /** The moment of the last start, as LXD says it. */
  readonly started: string
  readonly createdAt: number
  readonly cpuSeconds: number
  readonly outBytes: number
  readonly memoryBytes: number
  readonly vcpus: number
  readonly memoryMb: number
  readonly diskMb: number
}

type Counter = { readonly cpu: number; readonly out: number; readonly started: string; readonly at: number }

export class Counters {
  readonly #store: Store
  readonly #bucketMs: number

  constructor(store: Store, bucketMs: number) {
    this.#store = store
    this.#bucketMs = bucketMs
  }

  #counter(uuid: string): Counter | undefined {
    const [row] = this.#store.all('select * from counters where uuid = ?', uuid)
    return (
      row && { cpu: Number(row.cpu), out: Number(row.out), started: String(row.started), at: Number(row.at) }
    )
  }

  #keep(uuid: string, { cpu, out, started, at }: Counter): void {
    this.#store.run(
      `insert into counters values (?, ?, ?, ?, ?) on conflict do update
       set cpu = excluded.cpu, out = excluded.out, started = excluded.started, at = excluded.at`,
      ...[uuid, cpu, out, started, at],
    )
  }

  /** Adds a quantity that was used evenly between two moments, cut at the ends of hours. */
  #add(
    { uuid, panel, resource }: Subject,
    meter: string,
    [from, to]: readonly [number, number],
    total: number,
  ) {
    // Counters of resources without an owner are read, and counted for nobody.
    if (panel === 0 || to <= from) return
    for (let start = from; start < to; ) {
      const bucket = Math.floor(start / this.#bucketMs) * this.#bucketMs
      const end = Math.min(to, bucket + this.#bucketMs)
      this.#store.run(
        'insert into hours values (?, ?, ?, ?, ?, ?) on conflict do update set quantity = quantity + excluded.quantity',
        ...[uuid, panel, resource, meter, bucket, (total * (end - start)) / (to - from)],
      )
      start = end
    }
  }

  /**
   * The beginning of what was not counted yet. An unknown thing counts from its creation, unless it was there before; one that the
   * last reading of all did not find was gone and is new.
   */
  #since(was: Counter | undefined, createdAt: number, now: number): number {
    const sampled = this.#store.mark('sampled')
    if (was && was.at >= (sampled ?? 0)) return was.at
    return sampled === undefined || createdAt < sampled ? now : createdAt
  }

  /** Reads a server. */
  server(reading: ServerReading, now: number): void {
    const { uuid, runs, started, memoryMb, diskMb, vcpus } = reading
    const was = this.#counter(uuid)
    const since = this.#since(was, reading.createdAt, now)
    const isSame = was?.started === started
    const upSince = isSame ? since : Math.max(since, Date.parse(started) || now)
    const isNew = was !== undefined || since < now
    const grown = (counter: number, before: number | undefined) =>
      isNew ? growth(counter, before, isSame) : 0
    const cpu = runs ? grown(reading.cpuSeconds, was?.cpu) : 0
    const out = runs ? grown(reading.outBytes, was?.out) : 0
    if (runs) {
      const up = [Math.min(upSince, now), now] as const
      this.#add(reading, 'cpu_hours', up, cpu / 3600)
      this.#add(reading, 'ram_gb_hours', up, ((memoryMb / 1024) * (now - up[0])) / hourMs)
      this.#step(
        uuid,
        { cpu: cpu / vcpus, out, memory: reading.memoryBytes, seconds: (now - up[0]) / 1000 },
        now,
      )
      this.#judge(reading, cpu, (now - up[0]) / 1000, now)
    }
    this.#add(reading, 'disk_gb_hours', [since, now], ((diskMb / 1024) * (now - since)) / hourMs)
    const kept = (counter: number, before = 0) => (runs ? counter + lag(counter, before, isSame) : before)
    const counted = { cpu: kept(reading.cpuSeconds, was?.cpu), out: kept(reading.outBytes, was?.out) }
    this.#keep(uuid, { ...counted, started, at: now })
  }

  /** Reads the bytes that left a panel's bridge; undefined when nothing has. */
  traffic(subject: Subject, bytes: number | undefined, now: number): void {
    const was = this.#counter(subject.uuid)
    const out = bytes ?? 0
    const grown = growth(out, was?.out, was !== undefined)
    // The traffic of a bridge that is seen for the first time may have been counted before the store was lost.
    if (was) this.#add(subject, 'traffic_gb', [this.#since(was, now, now), now], grown / 1e9)
    this.#keep(subject.uuid, { cpu: 0, out, started: '', at: now })
  }

  /** Counts that something is there: the hours of a panel, the days of a domain. */
  being(subject: Subject, meter: 'panel_hours' | 'domain_days', createdAt: number, now: number): void {
    const since = this.#since(this.#counter(subject.uuid), createdAt, now)
    this.#add(subject, meter, [since, now], (now - since) / (meter === 'panel_hours' ? hourMs : dayMs))
    this.#keep(subject.uuid, { cpu: 0, out: 0, started: '', at: now })
  }

  #step(uuid: string, use: { cpu: number; out: number; memory: number; seconds: number }, now: number): void {
    this.#store.run(
      `insert into steps values (?, ?, ?, ?, ?, ?) on conflict do update set cpu = cpu + excluded.cpu,
       memory = excluded.memory, out = out + excluded.out, seconds = seconds + excluded.seconds`,
      ...[uuid, Math.floor(now / stepMs) * stepMs, use.cpu, use.memory, use.out, use.seconds],
    )
  }

  /** Notes the load of a server, and whether it is too high. */
  #judge(
    { uuid, vcpus, memoryBytes, memoryMb }: ServerReading,
    cpu: number,
    seconds: number,
    now: number,
  ): void {
    // A reading right after another says nothing of the load.
    if (seconds < 1) return
    const load = Math.min(100, Math.round((cpu / seconds / vcpus) * 1000) / 10)
    const memory = Math.round((memoryBytes / (memoryMb * 1024 ** 2)) * 100)
    this.#store.setLoad(uuid, load)
    this.#store.setReason(uuid, 'load', load > 90 ? `CPU at ${load} %` : null, now)
    this.#store.setReason(uuid, 'memory', memory > 95 ? `Memory at ${memory} %` : null, now)
  }
}

/**
 * How far a reading is behind one that was taken before: metrics may be older than the state that was read directly. The
 * later one is kept, or what lies between would be counted again.
 */
const lag = (counter: number, before: number, isSame: boolean) =>
  isSame && counter >= before / 2 ? Math.max(0, before - counter) : 0

/** The growth of a counter. After a restart, and when it is far smaller than before, all of it is new. */
export function growth(counter: number, before: number | undefined, isSame: boolean): number {
  if (before === undefined || !isSame || counter < before / 2) return counter
  // Two ways of reading one counter may differ by a hair.
  return Math.max(0, counter - before)
}
