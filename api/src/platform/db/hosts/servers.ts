/** The servers of one database, of which one accepts writes; it may change at any time. */
export class Servers {
  /** One address for each server. */
  readonly urls: readonly string[]
  #at = 0

  constructor(urls: readonly string[]) {
    this.urls = urls
  }

  /** The address of the server to connect to: the last that accepted writes. */
  get url(): string {
    return this.urls[this.#at] ?? ''
  }

  /** Moves on from a server that failed, unless another connection has done so. */
  failed(url: string): void {
    if (this.url === url) this.#at = (this.#at + 1) % this.urls.length
  }
}
