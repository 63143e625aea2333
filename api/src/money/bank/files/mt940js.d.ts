declare module 'mt940js' {
  type Transaction = {
    readonly bankReference: string
    readonly details: string
    readonly structuredDetails?: Readonly<Record<string, string>>
  }
  type Statement = {
    readonly accountIdentification: string
    readonly currency: string
    readonly number: { readonly statement: string; readonly sequence: string }
    readonly transactions: readonly Transaction[]
    readonly tags?: readonly { readonly id: number | string; readonly data: string }[]
  }
  export class Parser {
    parse(data: string, withTags?: boolean): Statement[]
  }
}
