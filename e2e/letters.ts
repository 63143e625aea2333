import { type APIRequestContext, expect } from '@playwright/test'

export type SentLetter = {
  readonly id: number
  readonly subject: string
  readonly text: string
  readonly html: string
}

type Heads = { letters: { id: number; to: string; subject: string }[] }

/** The newest letter to an address that the demo's outbox shows; waits for one, also of a given subject. */
export async function lastLetter(
  request: APIRequestContext,
  to: string,
  subject?: RegExp,
): Promise<SentLetter> {
  let id: number | undefined
  await expect(async () => {
    const { letters }: Heads = await (await request.get('/api/outbox')).json()
    id = letters.find((letter) => letter.to === to && (subject?.test(letter.subject) ?? true))?.id
    expect(id, `a letter to ${to}`).toBeDefined()
  }).toPass()
  return (await request.get(`/api/outbox/${id}`)).json()
}

/** The address that a letter's button leads to. */
export function linkOf({ text }: SentLetter): string {
  const link = /https?:\/\/\S+/.exec(text)?.[0]
  if (link === undefined) throw new Error('The letter has no link.')
  return link
}
