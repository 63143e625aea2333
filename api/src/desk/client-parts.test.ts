import { base } from '@portico/contract/wire.ts'
import { expect, test } from 'vitest'
import { makeAccount } from '#test/support/account.ts'
import { addCard, makePayer } from '#test/support/card.ts'
import { testPortal } from '#test/support/portal.ts'
import { custom, entry } from '#test/support/share.ts'
import { makeAdmin } from '#test/support/ticket.ts'

// What the page of a client reads of types that clients have too.

const portal = await testPortal()
const { pool } = portal
const roles = ['support', 'billing', 'admin', 'readonly'] as const
const staff = await Promise.all(
  roles.map(async (role) => [role, portal.staff(await makeAdmin(pool, role))] as const),
)
const ana = await makePayer(portal, '20')
const guest = await makeAccount(pool, { projects: 1, panels: 0 })
const { invitation, permission } = await portal.share(
  ana,
  guest,
  custom(entry(ana.projects[0] ?? 0, { access_type: 'all' })),
)
const card = await addCard(portal, ana)
const rules = `${base}/automated-billing-rules`
const made = await portal.as(ana).post(rules, {
  data: {
    type: 'automated-billing-rules',
    attributes: { threshold_amount: 15, recharge_amount: 50 },
    relationships: { card: { data: { type: 'cards', id: String(card) } } },
  },
})

test('every role reads whom a client lets in, with the whole permission, and changes nothing of it', async () => {
  const paths = [`share-invitations/${invitation}`, `share-permissions/${permission}`]
  for (const [role, by] of staff) {
    const people = await by.get(
      `${base}/share-invitations?filter[client_id]=${ana.id}&include=permission&sort=-createdAt`,
    )
    expect([role, people.status, people.list.length]).toEqual([role, 200, 1])
    expect(people.included[0]?.attributes).toMatchObject({
      inviting_client_id: ana.id,
      permissions: { workspace_resources: 'custom', workspaces: [{ id: ana.projects[0] }] },
    })
    for (const path of paths) expect((await by.delete(`${base}/${path}`)).status).toBe(403)
  }
  // The guest reads their own part of it, as before.
  const { attributes } = (await portal.as(guest).get(`${base}/share-permissions/${permission}`)).one
  expect(attributes).toMatchObject({ invited_client_id: guest.id })
  expect(attributes).not.toHaveProperty('permissions')
})

test('cards and the rule of automatic payment are for those who see money, and only the client changes them', async () => {
  expect(made.status).toBe(201)
  for (const [role, by] of staff) {
    const cards = await by.get(`${base}/cards?filter[client_id]=${ana.id}`)
    const rule = await by.get(`${rules}?filter[client_id]=${ana.id}&include=card,fallbackCard`)
    const seen = role === 'support' ? 0 : 1
    expect([role, cards.list.length, rule.list.length]).toEqual([role, seen, seen])
    const refused = role === 'support' ? 404 : 403
    expect((await by.delete(`${base}/cards/${card}`)).status).toBe(refused)
    expect(
      (await by.post(`${rules}/${made.one.id}/-actions/enable`, { consent: 'x'.repeat(30) })).status,
    ).toBe(refused)
    if (seen)
      expect(cards.list[0]).toMatchObject({ attributes: { last4: '4242' }, meta: { may: { delete: false } } })
  }
  const others = await portal.as(guest).get(`${base}/cards?filter[client_id]=${ana.id}`)
  expect([others.status, others.list]).toEqual([200, []])
  expect((await portal.nobody.get(`${base}/cards`)).status).toBe(401)
})
