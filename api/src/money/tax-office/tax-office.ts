/** The part of the office that documents are sent to: its test system, or the real one. */
export type OfficeEnvironment = 'test' | 'prod'

/**
 * How a call failed. After the first four nothing happened at the office; after the others nobody knows whether it did:
 * `late` and `lost` without an answer, `failed` with its own error, `answer_wrong` and `answer_too_large` with an answer that
 * says nothing.
 */
export const clearFaults = ['unauthorised', 'busy', 'refused', 'unreachable'] as const
export type OfficeFault =
  | (typeof clearFaults)[number]
  | 'late'
  | 'lost'
  | 'failed'
  | 'answer_wrong'
  | 'answer_too_large'

/** A call of the office that failed; `said` are its own words. */
export class OfficeError extends Error {
  override readonly name = 'OfficeError'
  readonly fault: OfficeFault
  readonly said: string | null

  constructor(fault: OfficeFault, said: string | null = null, cause?: unknown) {
    super(`${fault}${said === null ? '' : `: ${said}`}`, { cause })
    this.fault = fault
    this.said = said
  }

  /** Whether it is certain that the office did nothing. */
  get isClear(): boolean {
    return clearFaults.some((one) => one === this.fault)
  }
}

/** The tokens by which the portal acts for the operator. Moments are ISO 8601. */
export type OfficeTokens = {
  readonly access: string
  readonly accessEndsAt: string
  readonly refresh: string
}

/** A document to send. `abroad`: its buyer has no Romanian number. */
export type OfficeFile = {
  readonly xml: Uint8Array
  readonly isCreditNote: boolean
  readonly isConsumer: boolean
  readonly isAbroad: boolean
}

/** The state of a sent document. `errors`: it could not even be read, and has no file. */
export type OfficeState =
  | { readonly state: 'in_process' }
  | { readonly state: 'ok' | 'nok'; readonly downloadId: string }
  | { readonly state: 'errors'; readonly said: string }

/** A document as the office has it: its number, day, and total with VAT, exact and without a sign. */
export type OfficeDocument = {
  readonly number: string
  readonly issueDate: string
  readonly total: string
  readonly currency: string
}

/** The file that the office signed: of an accepted document, or of the reasons why it was not. */
export type OfficeAnswer = {
  readonly zip: Buffer
  readonly document: OfficeDocument | null
  readonly reasons: readonly string[]
}

/** A line of the lists of the office. */
export type OfficeMessage = {
  readonly id: string
  readonly uploadIndex: string
  /** Of an accepted document of ours. */
  readonly isSent: boolean
}

/** The tax office of a country. Every call throws `OfficeError`. */
export type TaxOffice = {
  readonly environment: OfficeEnvironment
  /** Where a person authorises the portal; they come back with a code. */
  readonly authoriseUrl: (state: string) => string
  readonly exchange: (code: string) => Promise<OfficeTokens>
  readonly refresh: (refresh: string) => Promise<OfficeTokens>
  /** Sends a document, and returns its index. `isTrial` sends it to the test system, whatever is in use. */
  readonly upload: (
    access: string,
    cif: string,
    file: OfficeFile,
    more?: { readonly isTrial?: boolean },
  ) => Promise<string>
  readonly state: (access: string, uploadIndex: string) => Promise<OfficeState>
  readonly download: (access: string, downloadId: string) => Promise<OfficeAnswer>
  /** One page of what the office has from a time; `pages` in all. */
  readonly messages: (
    access: string,
    cif: string,
    asked: { readonly from: Date; readonly until: Date; readonly page: number },
  ) => Promise<{ readonly messages: readonly OfficeMessage[]; readonly pages: number }>
}

declare module '#platform/context.ts' {
  interface Ports {
    /** Null: no document is sent. */
    readonly taxOffice: TaxOffice | null
  }
}
