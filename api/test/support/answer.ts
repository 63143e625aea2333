import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http'

export type Identifier = { readonly type: string; readonly id: string }
export type Linkage = Identifier | null | readonly Identifier[]
export type Links = Readonly<Record<string, string | null>>

export type ResourceObject = Identifier & {
  readonly attributes?: Readonly<Record<string, unknown>>
  readonly relationships?: Readonly<Record<string, { readonly links?: Links; readonly data?: Linkage }>>
  readonly links?: Links
  readonly meta?: {
    readonly may?: Readonly<Record<string, boolean>>
    readonly denied?: Readonly<Record<string, string>>
  }
}

export type ErrorObject = {
  readonly id?: string
  readonly status: string
  readonly code: string
  readonly title: string
  readonly detail: string
  readonly source?: { readonly pointer?: string; readonly parameter?: string; readonly header?: string }
  readonly meta?: Readonly<Record<string, unknown>>
}

export type Page = {
  readonly number: number
  readonly size: number
  readonly total: number
  readonly pages: number
}

export type Document = {
  readonly jsonapi?: { readonly version: string }
  readonly links?: Links
  readonly data?: ResourceObject | null | readonly ResourceObject[]
  readonly included?: readonly ResourceObject[]
  readonly errors?: readonly ErrorObject[]
  readonly meta?: { readonly page?: Page; readonly may?: Readonly<Record<string, boolean>> }
}

/** A response with its parsed document. */
export class Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders | OutgoingHttpHeaders
  readonly text: string

  constructor(status: number, headers: IncomingHttpHeaders | OutgoingHttpHeaders, text: string) {
    this.status = status
    this.headers = headers
    this.text = text
  }

  header(name: string): string | undefined {
    const value = this.headers[name]
    return value === undefined ? undefined : String(value)
  }

  /** The body as JSON, of any shape. */
  get json(): unknown {
    return JSON.parse(this.text)
  }

  /** The body as a JSON:API document. That it is one is what `assertDocument` checks. */
  get document(): Document {
    return this.json as Document
  }

  /** The one resource the answer is about. */
  get one(): ResourceObject {
    const { data } = this.document
    if (!data || Array.isArray(data))
      throw new Error(`Expected one resource: ${this.status} ${this.text.slice(0, 500)}`)
    return data as ResourceObject // Array.isArray does not narrow a readonly array away.
  }

  get list(): readonly ResourceObject[] {
    const { data } = this.document
    if (!Array.isArray(data)) throw new Error(`Expected a list: ${this.status} ${this.text.slice(0, 500)}`)
    return data
  }

  get included(): readonly ResourceObject[] {
    return this.document.included ?? []
  }

  get errors(): readonly ErrorObject[] {
    return this.document.errors ?? []
  }

  get page(): Page {
    const page = this.document.meta?.page
    if (!page) throw new Error(`Expected a page: ${this.status} ${this.text.slice(0, 500)}`)
    return page
  }

  /** The errors in a comparable form: `422 characters_most /data/attributes/name`. */
  get faults(): string[] {
    return this.errors.map(({ status, code, source }) =>
      [status, code, source?.pointer ?? source?.parameter ?? source?.header]
        .filter((part) => part !== undefined)
        .join(' '),
    )
  }
}
