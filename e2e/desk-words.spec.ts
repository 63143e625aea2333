import type { Page } from '@playwright/test'
import { deskHome } from '../web/src/routes.ts'
import { m } from '../web/src/texts/compiled/messages.js'
import { expect, signIn, test } from './fixtures.ts'
import { inRomanian } from './romanian.ts'

/** The choices of a filter of a page of the desk. */
async function expectChoices(page: Page, path: string, label: () => string, choices: readonly string[]) {
  await page.goto(`${deskHome}/${path}`)
  await expect(page.getByLabel(inRomanian(label), { exact: true }).getByRole('option')).toHaveText(choices)
}

test('Romanian filters of money name many documents, requests and debts', async ({ page, baseURL }) => {
  await signIn(page, 'billing@demo.test')
  await page.context().addCookies([{ name: 'lang', value: 'ro', url: baseURL ?? '' }])
  await expectChoices(page, 'documents', m.column_type, [
    'Toate tipurile',
    'Proforme',
    'Facturi',
    'Facturi de stornare',
  ])
  await expect(page.getByLabel(inRomanian(m.column_status), { exact: true }).getByRole('option')).toHaveText([
    'Toate stările',
    'De plătit',
    'Neplătite',
    'Plătite parțial',
    'Plătite',
    'Restante',
    'Anulate',
    'Expirate',
    'Rambursate',
  ])
  await expectChoices(page, 'e-factura', m.desk_clients_show, [
    'Toate documentele',
    'Cel mult două zile lucrătoare rămase',
    'În așteptare',
    'Nu se știe',
    'Respinse',
    'La ANAF',
    'Acceptate',
  ])
  await expectChoices(page, 'dunning', m.desk_clients_show, [
    'Toate datoriile',
    'Datorează',
    'Avertizați',
    'Suspendați',
    'Cu amânare',
  ])
  await expectChoices(page, 'requests', m.desk_queue_show, [
    'În așteptare',
    'Aprobate',
    'Respinse',
    'Retrase',
    'Fără decizie',
    'Toate',
  ])
})

test('Romanian filters of administrators name many letters, jobs and members of staff', async ({
  page,
  baseURL,
}) => {
  await signIn(page, 'admin@demo.test')
  await page.context().addCookies([{ name: 'lang', value: 'ro', url: baseURL ?? '' }])
  await expectChoices(page, 'letters', m.desk_queue_show, [
    'Eșuate',
    'În așteptare',
    'Trimise',
    'Abandonate',
    'Toate',
  ])
  await expectChoices(page, 'jobs', m.desk_queue_show, ['Eșuate', 'În așteptare', 'În lucru', 'Toate'])
  await expectChoices(page, 'staff', m.desk_staff_show, [
    'Toți membrii',
    'Activi',
    'Invitați',
    'Cu invitația expirată',
    'Dezactivați',
  ])
})
