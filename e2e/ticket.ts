import { randomUUID } from 'node:crypto'
import type { Browser, Page } from '@playwright/test'
import { api } from './api.ts'
import { signIn } from './fixtures.ts'

const support = 'support@demo.test'

/** A member of support in a separate browser. */
export async function staffIn(browser: Browser, baseURL: string | undefined): Promise<Page> {
  const context = await browser.newContext({ baseURL: baseURL ?? '' })
  const page = await context.newPage()
  await signIn(page, support)
  return page
}

/** Opens a ticket through the API; returns its id. */
export async function ticketOf(
  page: Page,
  subject: string,
  description: string,
  about?: string,
): Promise<string> {
  const server = await api(page)
  const panels = about === undefined ? [] : await server.list('panels')
  const panel = panels.find(({ attributes }) => attributes.name === about)
  const [department] = await server.list('ticket-departments')
  if (!department) throw new Error('There is no department.')
  return server.create(
    'tickets',
    { subject, description },
    {
      ticketDepartment: { type: 'ticket-departments', id: department.id },
      ...(panel && { panel: { type: 'panels', id: panel.id } }),
    },
  )
}

/** A name that no other try of the test has given. */
export const unique = (name: string) => `${name} ${randomUUID().slice(0, 8)}`

export const answerField = (page: Page) => page.getByRole('textbox', { name: 'Your answer' })
