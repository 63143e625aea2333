import http from 'node:http'

/** A refusal or failure that LXD answered. */
export class LxdError extends Error {
  override readonly name = 'LxdError'
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
type Reply = {
  readonly type?: string
  readonly error?: string
  readonly error_code?: number
  readonly operation?: string
  readonly metadata?: unknown
  readonly version?: string | undefined
}
type Exchanged = { readonly text: string; readonly version: string | undefined }
type Operation = { readonly status_code: number; readonly err: string }

const answerMs = 90_000
const operationSeconds = 60
/** How many more times a change is tried when another process has changed the object meanwhile. */
const attempts = 10

export const isMissing = (error: unknown) => error instanceof LxdError && error.status === 404
const isThere = (error: unknown) =>
  error instanceof LxdError && (error.status === 409 || /already (exists|in use)/.test(error.message))

/** LXD over its Unix socket: an answer, or an LxdError. Operations are waited for. */
export class Lxd {
  readonly #agent = new http.Agent({ keepAlive: true, maxSockets: 16 })
  readonly #socketPath: string

  constructor(socketPath: string) {
    this.#socketPath = socketPath
  }

  #exchange(method: Method, path: string, body?: unknown, version?: string): Promise<Exchanged> {
    const { promise, resolve, reject } = Promise.withResolvers<Exchanged>()
    const request = http.request(
      {
        agent: this.#agent,
        socketPath: this.#socketPath,
        method,
        path,
        timeout: answerMs,
        headers: {
          'content-type': 'application/json',
          ...(version !== undefined && { 'if-match': version }),
        },
      },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () =>
          resolve({ text: Buffer.concat(chunks).toString(), version: response.headers.etag }),
        )
        response.on('error', reject)
      },
    )
    request.on('timeout', () => request.destroy(new Error(`LXD did not answer ${method} ${path}`)))
    request.on('error', reject)
    request.end(body === undefined ? undefined : JSON.stringify(body))
    return promise
  }

  /** The body of an answer as text. */
  async text(method: Method, path: string): Promise<string> {
    return (await this.#exchange(method, path)).text
  }

  async #ask(method: Method, path: string, body?: unknown, version?: string): Promise<Reply> {
    const exchanged = await this.#exchange(method, path, body, version)
    // Every answer of LXD's API but the metrics is an object of this shape.
    const reply = JSON.parse(exchanged.text) as Reply
    if (reply.type === 'error')
      throw new LxdError(reply.error_code ?? 500, `${method} ${path}: ${reply.error ?? 'failed'}`)
    return { ...reply, version: exchanged.version }
  }

  /** The object at a path. */
  async get<T>(path: string): Promise<T> {
    // The caller names the type that LXD's API documents for the path.
    return (await this.#ask('GET', path)).metadata as T
  }

  /** The same; undefined where there is nothing. */
  async find<T>(path: string): Promise<T | undefined> {
    try {
      return await this.get<T>(path)
    } catch (error) {
      if (isMissing(error)) return undefined
      throw error
    }
  }

  /**
   * Changes parts of an object by what it holds now. When another process changed it meanwhile, it is read again and `changed` is called
   * again. Returns the changed object. Throws like `get`.
   */
  async change<T>(path: string, changed: (now: T) => Partial<T>): Promise<T> {
    for (let left = attempts; ; left--) {
      const { metadata, version } = await this.#ask('GET', path)
      // The caller names the type that LXD's API documents for the path.
      const now = metadata as T
      const parts = changed(now)
      try {
        await this.#ask('PATCH', path, parts, version)
        return { ...now, ...parts }
      } catch (error) {
        if (left === 0 || !(error instanceof LxdError && error.status === 412)) throw error
      }
    }
  }

  /** Changes something, and waits until it is done. */
  async send(method: Exclude<Method, 'GET'>, path: string, body?: unknown): Promise<void> {
    const reply = await this.#ask(method, path, body)
    if (reply.type !== 'async') return
    const waited = await this.#ask('GET', `${reply.operation}/wait?timeout=${operationSeconds}`)
    // The metadata of a waited operation is the operation.
    const { status_code: status, err } = waited.metadata as Operation
    if (status >= 400) throw new LxdError(status, `${method} ${path}: ${err}`)
    if (status !== 200) throw new LxdError(504, `${method} ${path}: not done in ${operationSeconds} s`)
  }

  /** Begins an operation and answers it, for one that is talked to while it runs. */
  async begin(path: string, body: unknown): Promise<{ operation: string; metadata: unknown }> {
    const { operation = '', metadata } = await this.#ask('POST', path, body)
    return { operation, metadata }
  }

  /** Makes something, or finds it there. */
  async make(path: string, body: unknown): Promise<void> {
    await this.send('POST', path, body).catch((error: unknown) => {
      if (!isThere(error)) throw error
    })
  }

  /** Removes something, or finds it gone. */
  async remove(path: string): Promise<void> {
    await this.send('DELETE', path).catch((error: unknown) => {
      if (!isMissing(error)) throw error
    })
  }
}
