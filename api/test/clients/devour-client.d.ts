/** devour-client brings no types; these are of what is used of it. */
declare module 'devour-client' {
  type Builder = {
    relationships(name: string): Builder
    get(params?: object): Promise<unknown>
    post(payload: unknown): Promise<unknown>
    patch(payload: unknown): Promise<unknown>
    destroy(payload?: unknown): Promise<unknown>
  }

  export default class JsonApi {
    constructor(options: { apiUrl: string; logger: boolean; pluralize: boolean })
    bearer: string | null
    define(type: string, fields: object): void
    find(type: string, id: string, params?: object): Promise<unknown>
    findAll(type: string, params?: object): Promise<unknown>
    create(type: string, payload: object): Promise<unknown>
    update(type: string, payload: object): Promise<unknown>
    destroy(type: string, id: string): Promise<unknown>
    request(url: string): Promise<unknown>
    one(type: string, id: string): Builder
  }
}
