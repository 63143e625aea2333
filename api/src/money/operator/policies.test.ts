import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { makeAccount } from '#test/support/account.ts'
import { testApp } from '#test/support/app.ts'
import { amountsInput, companyInput, daysInput } from '#test/support/operator-input.ts'
import { Browser } from '#test/support/people.ts'
import { testPortal, type Visitor } from '#test/support/portal.ts'
import { makeMember } from '#test/support/staff.ts'
import { makeAdmin } from '#test/support/ticket.ts'

const portal = await testPortal()
const { pool } = portal
const db = pool.kysely
const admin = portal.staff(await makeAdmin(pool, 'admin'))
const ana = await makeAccount(pool, { projects: 1, panels: 0 })
const hans = await makeAccount(pool, { projects: 0, panels: 0, currency: 'EUR' })

const policyUrl = `${base}/billing-policies`
const editDays = (who: Visitor, more: object = {}) =>
  who.post(`${policyUrl}/1/-actions/editPolicy`, { data: { ...daysInput, ...more } })

const amountsOf = async (who: Visitor, currency: string) =>
  (await who.get(`${base}/currency-policies`)).list.find(
    ({ attributes }) => attributes?.currency === currency,
  )
const usual = await amountsOf(admin, 'EUR')
const editAmounts = (who: Visitor, more: object = {}) =>
  who.post(`${base}/currency-policies/${usual?.id}/-actions/editAmounts`, {
    data: { ...amountsInput, ...more },
  })

const faults = ({ errors }: Awaited<ReturnType<typeof editDays>>) =>
  errors.map(({ status, code, source }) => `${status} ${code} ${source?.pointer?.replace(/.*\//, '')}`)

test('new days apply, every account is looked at, and the log has what changed', async () => {
  await sql`update account_balances set evaluate_due = false`.execute(db)
  expect(faults(await editDays(admin, { warn_days: 10, suspend_days: 30, low_days: [3, 10, 3] }))).toEqual([])
  expect((await admin.get(policyUrl)).list.map(({ attributes }) => attributes)).toMatchObject([
    { ...daysInput, warn_days: 10, suspend_days: 30, low_days: [3, 10] },
  ])
  const { rows } = await sql`select evaluate_due from account_balances where client_id = ${ana.id}`.execute(
    db,
  )
  expect(rows).toEqual([{ evaluate_due: true }])
  const { list } = await admin.get(`${base}/staff-actions?sort=-at&page[size]=1`)
  expect(list[0]?.attributes).toMatchObject({ verb: 'editPolicy', reason: 'A test asks for it' })
  expect(JSON.stringify(list[0]?.attributes?.changes)).toContain('suspend_days')
})

test('new amounts are those of the clients’ pages', async () => {
  expect(
    faults(await editAmounts(admin, { credit_limit: 80.5, warn_below: -5, quick_amounts: [30, 60] })),
  ).toEqual([])
  expect((await amountsOf(admin, 'EUR'))?.attributes).toMatchObject({
    credit_limit: 80.5,
    warn_below: -5,
    quick_amounts: [30, 60],
  })
  const { one } = await portal.as(hans).get(`${base}/billing-profiles/${hans.id}`)
  expect(one.attributes).toMatchObject({ credit_limit: 80.5, amounts: { quick_amounts: [30, 60] } })
})

test.each([
  [{ suspend_days: 10, warn_days: 10 }, '422 policy_suspend_order suspend_days'],
  [{ low_days: [] }, '422 entries_least low_days'],
  [{ days_ahead: -1 }, '422 number_least days_ahead'],
  [{ trial_days: 1.5 }, '422 value_not_whole trial_days'],
  [{ suspended_fee: 'never' }, '422 value_not_among suspended_fee'],
])('the days %j are refused', async (more, fault) => {
  expect(faults(await editDays(admin, more))).toEqual([fault])
})

test.each([
  [{ credit_limit: 4, warn_below: -5 }, '422 policy_limit_order credit_limit'],
  [{ deposit_least: 600, deposit_most: 500, quick_amounts: [] }, '422 policy_deposit_order deposit_most'],
  [{ quick_amounts: [0.5] }, '422 policy_quick_outside quick_amounts'],
  [{ threshold_usual: 0.01, threshold_least: 1 }, '422 policy_threshold_outside threshold_usual'],
  [{ recharge_usual: 0.01, recharge_least: 1 }, '422 policy_recharge_outside recharge_usual'],
  [{ warn_below: 1 }, '422 number_most warn_below'],
  [{ cap_most: 100.001 }, '422 decimals_most cap_most'],
])('the amounts %j are refused', async (more, fault) => {
  expect(faults(await editAmounts(admin, more))).toEqual([fault])
})

test('billing and those who only read see the policies, and administrators alone change them', async () => {
  for (const who of [portal.nobody, portal.as(ana)])
    for (const answer of [await who.get(policyUrl), await editDays(who), await editAmounts(who)])
      expect(answer.status).toBe(404)
  for (const role of ['support', 'billing', 'readonly'] as const) {
    const who = portal.staff(await makeAdmin(pool, role))
    const refused = role === 'support' ? 404 : 403
    expect([
      (await who.get(policyUrl)).page.total,
      (await editDays(who)).status,
      (await editAmounts(who)).status,
    ]).toEqual([role === 'support' ? 0 : 1, refused, refused])
  }
})

test('what the company sets needs a sign-in of the last minutes', async () => {
  const member = await makeMember(pool, 'admin')
  const { app } = await testApp(pool)
  const browser = new Browser(app)
  await browser.signIn(member.email)
  await sql`update auth_sessions set authenticated_at = now() - interval '11 minutes'`.execute(db)
  const authorization = `Bearer ${browser.cookies.get('token')}`
  const headers = { authorization, 'portico-reason': 'Late' }
  const verbs = {
    'billing-policies/1/-actions/editPolicy': daysInput,
    [`currency-policies/${usual?.id}/-actions/editAmounts`]: amountsInput,
    'operator-profiles/-actions/editOperator': companyInput,
    'operator-profiles/-actions/addSeries': { kind: 'fiscal', prefix: 'LATE' },
  }
  for (const [verb, data] of Object.entries(verbs)) {
    const answer = await browser.ask({ method: 'POST', url: `${base}/${verb}`, headers, payload: { data } })
    expect([verb, answer.json().errors?.[0].code]).toEqual([verb, 'recent_sign_in_required'])
  }
})
