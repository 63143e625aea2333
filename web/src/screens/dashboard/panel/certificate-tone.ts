import type { Tone } from '../../../ui/status.tsx'

/** Certificates are renewed a month before their end; a week before it, something has failed. */
const [renewal, failure] = [30, 7] as const

/** The urgency of a certificate by the days that it still has. */
export function certificateTone(left: number): Tone {
  if (left < failure) return 'bad'
  return left < renewal ? 'warn' : 'good'
}
