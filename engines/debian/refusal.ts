/** Why something is not done, as the contract says it. */
export type Fault = {
  readonly code: string
  readonly message: string
  readonly field?: string
  readonly exceeded?: readonly { limit: string; allowed: number; used: number }[]
}

/** Answered to the portal with its status. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
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

export const noPanel = () => refusal(404, 'not_found', 'There is no such panel.')
export const noServer = () => refusal(404, 'not_found', 'There is no such server.')
export const isSuspended = () => refusal(409, 'suspended', 'This panel is suspended.')
