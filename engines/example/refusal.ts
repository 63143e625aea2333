import type { Fault, Fields } from './offers.ts'

/** A call that is refused, as the contract says. */
export class Refusal extends Error {
  readonly status: number
  readonly fault: Fault

  constructor(status: number, fault: Fault) {
    super(fault.message)
    this.status = status
    this.fault = fault
  }
}

export const refusal = (status: number, code: string, message: string) =>
  new Refusal(status, { code, message })

/** The body of a call. */
export function parsed(body: string): Fields {
  try {
    const value: unknown = JSON.parse(body)
    if (typeof value === 'object' && value !== null) return { ...value }
  } catch {
    // Falls through: what is no object is refused alike.
  }
  throw refusal(400, 'malformed', 'The body is not a JSON object.')
}
