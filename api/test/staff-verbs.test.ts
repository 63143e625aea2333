import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Model } from '#platform/jsonapi/declare/model.ts'
import type { Rule } from '#platform/jsonapi/declare/policy.ts'
import type { Answer } from './support/answer.ts'
import { keyed } from './support/card.ts'
import { makeGuests, makeWorld, models, type Probe, probesOf } from './support/matrix.ts'
import { type Sent, testPortal, type Visitor } from './support/portal.ts'
import { makeMember } from './support/staff.ts'
import { act, outside, second, steps, type Wish } from './support/staff-walk.ts'
import { stepsUp } from './support/steps-up.ts'
import { makeAdmin } from './support/ticket.ts'

// Every write that a declaration opens to staff is asked for, without a reason and with one. What succeeds is in the log once,
// by this person, with the reason. The database refuses what a transaction changes without its entry.

const portal = await testPortal()
const world = await makeWorld(portal, await makeGuests(portal, ['all']))
const me = await makeMember(portal.pool, 'admin')
const { admin } = me
const colleague = await makeAdmin(portal.pool, 'admin')
const other = portal.staff(colleague)
const tools = { portal, world, me, other }
const why = 'A walk asks for it'

const lets = (rule: Rule | undefined) => rule?.staff !== undefined || (rule?.roles ?? []).length > 0

/** The rule by which a type is created: of its own, or of the row through which it is. */
function creationOf(model: Model): Rule | undefined {
  const { create } = model.binding.policy
  if (create === undefined || !('through' in create)) return create
  if (create.clientsOnly) return undefined
  return model.relations.get(create.through)?.target.rules.get(create.ability)
}

/** Whether the declaration of a write lets any of staff. Relationships are written by those who may update. */
function isOfStaff(model: Model, { name, writes }: Probe): boolean {
  if (!writes) return false
  if (name === 'create') return lets(creationOf(model))
  if (name.endsWith('()')) return lets(model.rules.get(name.slice(0, -2)))
  return lets(model.rules.get(name === 'delete' ? 'delete' : 'update'))
}

type Verb = { readonly key: string; readonly model: Model; readonly probe: Probe }
const verbs: readonly Verb[] = models.flatMap((model) =>
  probesOf(model)
    .filter((probe) => isOfStaff(model, probe))
    .map((probe) => ({ key: `${model.name} ${probe.name}`, model, probe })),
)
// Approving is asked for with each verb that needs it.
const isAlone = ({ key }: Verb) =>
  key in steps || !(key in second || key in outside || key === 'desk-requests approve()')

type Entry = {
  readonly id: number
  readonly admin_id: number
  readonly approved_by: number | null
  readonly verb: string
  readonly type: string
  readonly ref: string | null
  readonly reason: string
  readonly request_id: string
}

const lastEntry = async (): Promise<number> =>
  Number(
    (
      await sql<{ id: number }>`select coalesce(max(id), 0) as id from staff_actions`.execute(
        portal.pool.kysely,
      )
    ).rows[0]?.id,
  )
const entriesAfter = async (id: number): Promise<Entry[]> =>
  (
    await sql<Entry>`select id, admin_id, approved_by, verb, type, ref, reason, request_id from staff_actions
      where id > ${id} order by id`.execute(portal.pool.kysely)
  ).rows

/** Asks as the administrator, with this header and with what the step wishes in place of the row and the input. */
async function ask(
  { model, probe }: Verb,
  { id, input }: Wish,
  reason: string,
  visitor = portal.staff(admin),
): Promise<Answer> {
  const call: Visitor['call'] = (method, url, sent: Sent = {}) =>
    visitor.call(method, url, {
      ...sent,
      ...(input && { body: { data: input } }),
      headers: { ...sent.headers, 'portico-reason': reason },
    })
  const ids = id === undefined ? world.ids : { ...world.ids, [model.name]: id }
  const [answer] = await probe.ask({ ...visitor, call }, { ...world, ids })
  if (answer === undefined) throw new Error('Nothing was asked.')
  return answer
}

/** The verb as the log calls it. */
function inLog({ name }: Probe): string {
  if (name.endsWith('()')) return name.slice(0, -2)
  return name === 'create' || name === 'delete' ? name : 'update'
}

/** Whether a verb may have an entry for each of several short transactions. */
const callsOutside = ({ model, probe: { name } }: Verb) =>
  typeof model.binding.actions[name.slice(0, -2)] === 'object'

/** Whether what a verb writes is gone within a minute, so that it is not logged. */
const isPassing = ({ model, probe: { name } }: Verb) =>
  model.contract.actions[name.slice(0, -2)]?.passing === true

test.each(verbs.filter(isPassing))('$key succeeds, and the log keeps nothing of it', async (verb) => {
  await portal.undone(async () => {
    const before = await lastEntry()
    expect((await ask(verb, {}, '')).status).toBe(200)
    expect(await entriesAfter(before)).toEqual([])
  })
})

test.each(verbs.filter((verb) => isAlone(verb) && !isPassing(verb)))(
  '$key needs a reason, and is logged once',
  async (verb) => {
    const { key, model, probe } = verb
    const routine = model.binding.routine === true
    await portal.undone(async () => {
      const wish = (await steps[key]?.(tools)) ?? {}
      const before = await lastEntry()
      if (!routine) {
        const bare = await ask(verb, wish, '')
        expect([bare.status, bare.errors[0]?.code]).toEqual([422, 'staff_reason_required'])
        expect(await entriesAfter(before)).toEqual([])
      }
      const answer = await ask(verb, wish, routine ? '' : why)
      expect([answer.status < 300, answer.status === 204 ? [] : answer.faults]).toEqual([true, []])
      const entries = await entriesAfter(before)
      const [first] = entries
      for (const entry of entries)
        expect(entry).toMatchObject({
          admin_id: admin,
          approved_by: null,
          verb: inLog(probe),
          type: model.name,
          reason: routine ? 'routine' : why,
          request_id: first?.request_id,
        })
      if (callsOutside(verb)) expect(entries.length).toBeGreaterThan(0)
      else expect(entries).toHaveLength(1)
    })
  },
)

/** The refusal of a verb that is asked for an hour after the sign-in; undefined where it is done. */
const refusedLate = (verb: Verb) =>
  portal.undone(async () => {
    const { id, input } = (await (steps[verb.key] ?? second[verb.key])?.(tools)) ?? {}
    const late = portal.staff(admin, 'an hour ago')
    if (verb.key in steps || !(verb.key in second)) {
      const answer = await ask(verb, { id, ...(input && { input }) }, why, late)
      return answer.status === 204 ? undefined : answer.errors[0]?.code
    }
    // A verb of two persons is done by who asks for it.
    const ref = String(id ?? world.ids[verb.model.name])
    const asked = { verb: verb.probe.name.slice(0, -2), ref, input }
    return (await keyed(late, `${base}/desk-requests/-actions/ask`, { data: asked })).errors[0]?.code
  })

test.each(verbs)(
  '$key asks for the second factor again if, and only if, it is one of those',
  async (verb) => {
    const code = await refusedLate(verb)
    expect(code === 'recent_sign_in_required').toBe(stepsUp.includes(verb.key))
  },
)

test.each(Object.entries(second))('%s is logged once, as of both persons', async (key, step) => {
  const [type = '', name = ''] = key.split(' ')
  const verb = name.slice(0, -2)
  await portal.undone(async () => {
    const { id = world.ids[type], input } = await step(tools)
    const given = verbs.find((one) => one.key === key)
    if (!given) throw new Error(`${key} is not a verb of staff.`)
    const direct = await ask(given, { id, input: input ?? {} }, why)
    expect([direct.status, direct.errors[0]?.code]).toEqual([403, 'second_person_required'])
    const before = await lastEntry()
    const ref = given.model.contract.actions[verb]?.on === 'one' ? String(id) : null
    const { request_id } = await act(portal.staff(admin), 'desk-requests/-actions/ask', { verb, ref, input })
    await act(other, `desk-requests/${String(request_id)}/-actions/approve`)
    const entries = await entriesAfter(before)
    expect(entries.map((one) => `${one.verb} by ${one.admin_id}`).sort()).toEqual(
      [`ask by ${admin}`, `approve by ${colleague}`, `${verb} by ${admin}`].sort(),
    )
    expect(entries.find((one) => one.verb === verb)).toMatchObject({ type, ref, approved_by: colleague })
  })
})

test.each(Object.entries(outside))('%s does not succeed here, as it needs %s', async (key) => {
  const verb = verbs.find((one) => one.key === key)
  if (!verb) throw new Error(`${key} is not a verb of staff.`)
  const answer = await portal.undone(() => ask(verb, {}, why))
  expect([404, 409, 422]).toContain(answer.status)
})

/** The creations and changes that are declared for staff, which need a body in the matrix to be asked for. */
const declared = models.flatMap((model) => {
  const { name, contract, lookup } = model
  if (lookup) return []
  const writes = [
    ...(contract.create.length > 0 && lets(creationOf(model)) ? ['create'] : []),
    ...(contract.update.length > 0 && lets(model.rules.get('update')) ? ['update'] : []),
  ]
  return writes.map((write) => `${name} ${write}`)
})

test('each verb is walked, and nothing else is prepared', () => {
  const keys = verbs.map(({ key }) => key)
  const prepared = [...Object.keys(steps), ...Object.keys(second), ...Object.keys(outside)]
  expect(prepared.filter((key) => !keys.includes(key))).toEqual([])
  expect(declared.filter((key) => !keys.includes(key))).toEqual([])
  console.info(`The walk of staff: ${keys.length} verbs, ${Object.keys(outside).length} of them elsewhere.`)
  expect(keys.length).toBeGreaterThan(100)
  expect(portal.bugs).toEqual([])
})
