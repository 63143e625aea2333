import type { Page } from '@playwright/test'

const mediaType = 'application/vnd.api+json'

type Resource = { id: string; type: string; attributes: Record<string, unknown> }

/** Calls the API as the signed-in person, for changes outside of the page. */
export async function api(page: Page) {
  const token = (await page.context().cookies()).find(({ name }) => name === 'token')?.value
  if (token === undefined) throw new Error('Nobody is signed in.')
  const headers = { authorization: `Bearer ${token}`, accept: mediaType, 'content-type': mediaType }
  async function send(method: string, path: string, data?: unknown) {
    const answer = await page.request.fetch(`/api/v1/${path}`, { method, headers, data })
    if (!answer.ok()) throw new Error(`${method} ${path} gave ${answer.status()}: ${await answer.text()}`)
    return answer
  }
  return {
    async list(path: string): Promise<Resource[]> {
      return (await (await send('GET', path)).json()).data
    },
    /** Calls an action that only reads. */
    async ask(path: string) {
      return await (await send('GET', path)).json()
    },
    async create(
      type: string,
      attributes: Record<string, unknown>,
      to: Record<string, { type: string; id: string }> = {},
    ): Promise<string> {
      const relationships = Object.fromEntries(Object.entries(to).map(([name, data]) => [name, { data }]))
      const answer = await send('POST', type, { data: { type, attributes, relationships } })
      return (await answer.json()).data.id
    },
    async update(type: string, id: string, attributes: Record<string, unknown>): Promise<void> {
      await send('PATCH', `${type}/${id}`, { data: { type, id, attributes } })
    },
  }
}
