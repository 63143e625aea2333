/** devour-client brings no types; these are of what is used of it. What a call is about is for its caller to say. */
declare module 'devour-client' {
  type Reply<T> = { data: T; meta: { page: object }; links: { next: string | null } }

  type Builder = {
    relationships(name: string): Builder
    get<T>(params?: object): Promise<Reply<T>>
    post(payload: unknown): Promise<unknown>
    patch(payload: unknown): Promise<unknown>
    destroy(payload?: unknown): Promise<unknown>
  }

  export default class JsonApi {
    constructor(options: { apiUrl: string; logger: boolean; pluralize: boolean })
    bearer: string | null
    define(type: string, fields: object): void
    find<T>(type: string, id: string, params?: object): Promise<Reply<T>>
    findAll<T>(type: string, params?: object): Promise<Reply<T>>
    create<T>(type: string, payload: object): Promise<Reply<T>>
    update<T>(type: string, payload: object): Promise<Reply<T>>
    destroy(type: string, id: string): Promise<unknown>
    request<T>(url: string): Promise<Reply<T>>
    one(type: string, id: string): Builder
  }
}
