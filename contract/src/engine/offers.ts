import * as z from 'zod/mini'
import { line } from '../fields.ts'

// The plans and regions that an engine offers, since contract 1.1.

/** A name of the Internet as DNS writes it: lower case, ASCII, at least two parts, no dot at its end. */
export const hostName = z
  .string()
  .check(
    z.maxLength(253),
    z.regex(/^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/),
  )

/** Whether panels are made with a domain. */
export const domainRule = z.enum(['none', 'optional', 'required'])

/** An absent limit means unlimited. */
const limit = z.optional(z.nullable(z.number().check(z.gte(0), z.lte(1e9))))

/** The most that a panel of a plan may hold. */
const limits = z.object({
  servers: limit,
  clusters: limit,
  domains: limit,
  mailboxes: limit,
  vcpus: limit,
  memory_gb: limit,
  disk_gb: limit,
  traffic_gb_month: limit,
})

/** A place where an engine has room, or has none at the moment. */
export const offeredRegion = z.object({ code: line(64), name: line(80), open: z.boolean() })

/** A plan as its engine describes it. */
export const planDetails = z.object({
  code: line(40),
  name: line(80),
  domain: domainRule,
  /** The places where panels of this plan are made; empty: the engine chooses. */
  regions: z.array(line(64)).check(z.maxLength(50)),
  limits,
})

/** A limit that would be exceeded, how much it allows, and how much there is. */
export const exceededLimit = z.object({
  limit: z.string().check(z.maxLength(40)),
  allowed: z.number(),
  used: z.number(),
})

export const exceededLimits = z.array(exceededLimit).check(z.maxLength(20))

export type DomainRule = z.output<typeof domainRule>
export type ExceededLimit = z.output<typeof exceededLimit>
