import * as z from 'zod/mini'

/** Why an engine says that something is not as it should be. A word that we do not know is `other`. */
export const reasonCode = z.catch(
  z.enum([
    'load',
    'memory',
    'disk_full',
    'network',
    'host_down',
    'certificate',
    'over_limit',
    'maintenance',
    'failed',
    'other',
  ]),
  'other',
)

/** The actions on the power of a server. */
export const powerVerb = z.enum(['start', 'stop', 'restart'])

export type ReasonCode = z.output<typeof reasonCode>
export type PowerVerb = z.output<typeof powerVerb>
