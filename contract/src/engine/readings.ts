import * as z from 'zod/mini'
import { line } from '../fields.ts'
import { actor, engineId, moment } from './wire.ts'

// Readings of an engine of contract 1.1, requested when a person looks and never stored.

/** The values in a series: a day in steps of five minutes. */
export const seriesValues = 288
export const seriesStep = 300

const values = (most: number) =>
  z
    .array(z.nullable(z.number().check(z.gte(0), z.lte(most))))
    .check(z.minLength(seriesValues), z.maxLength(seriesValues))

/** The answer of GET /v1/panels/{id}/series: the last day of a server or cluster, oldest first; null: not measured. */
export const engineSeries = z.object({
  /** The beginning of the first step. */
  start: moment,
  step_seconds: z.literal(seriesStep),
  cpu_percent: values(100),
  memory_gb: values(1e9),
  disk_gb: values(1e9),
  /** Its outgoing traffic in each step. */
  out_mb: values(1e12),
})

const auditEntry = z.object({
  id: engineId,
  at: moment,
  actor,
  /** The name of the person or program, as the engine knows it. */
  label: z.nullable(line(200)),
  /** A word or two of the engine's own. */
  action: line(60),
  /** The object of the action. */
  target: z.nullable(line(255)),
  ip: z.union([z.ipv4(), z.ipv6(), z.null()]),
})

/** The answer of GET /v1/panels/{id}/audit: what people did in a panel, newest first, for 90 days. */
export const auditPage = z.object({
  items: z.array(auditEntry).check(z.maxLength(100)),
  next: z.nullable(z.string().check(z.minLength(1), z.maxLength(500))),
})

export type EngineSeries = z.output<typeof engineSeries>
export type AuditPage = z.output<typeof auditPage>
