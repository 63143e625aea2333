import type { Host } from '../host.ts'
import { createPanel, deletePanel, panelFault } from '../panels/making.ts'
import { adoptPanel, releasePanel } from '../panels/ownership.ts'
import { changePlan, countsOf, planFault } from '../panels/plans.ts'
import { suspendPanel, unsuspendPanel } from '../panels/suspension.ts'
import { allPanels, type Panel, readPanel, setWords } from '../panels/truth.ts'
import { refusal } from '../refusal.ts'
import { type Answer, actorOf, type Call, type Fields, pageOf, panelIn } from './calls.ts'

const pageSize = 100

/** A panel as the contract has it. */
const shown = ({ id, panelId, name, plan, state, region, domain, createdAt }: Panel): Fields => ({
  ...{ id, panel_id: panelId, name, plan, status: state, region, domain, reasons: [] },
  created_at: createdAt,
})

const answered = (panel: Panel, status = 200): Answer => ({ status, body: shown(panel) })

function note({ store }: Host, call: Call, action: string, target?: string): void {
  store.note({ panel: panelIn(call), actor: actorOf(call), action, target: target ?? null })
}

export async function check(host: Host, { body: { panel, id, plan } }: Call): Promise<Answer> {
  if (typeof id === 'string') await readPanel(host, id)
  const fault =
    typeof id === 'string' ? await planFault(host, id, plan) : await panelFault(host, Object(panel))
  return { status: 200, body: fault ? { ok: false, ...fault } : { ok: true } }
}

export async function create(host: Host, call: Call): Promise<Answer> {
  const { panel, isNew } = await createPanel(host, call.body)
  if (isNew) host.store.note({ panel: panel.id, actor: actorOf(call), action: 'created', target: panel.name })
  return answered(panel, isNew ? 201 : 200)
}

export async function list(host: Host, { query }: Call): Promise<Answer> {
  const wanted = query.get('panel_id')
  const all = (await allPanels(host)).filter(({ panelId }) => wanted === null || wanted === String(panelId))
  const { items, next } = pageOf(all, ({ id }) => id, query, pageSize)
  const rows = await Promise.all(
    items.map(async (panel) => {
      const { name, email } = panel.owner
      return { ...shown(panel), owner: { name, email }, counts: await countsOf(host, panel.id) }
    }),
  )
  return { status: 200, body: { items: rows, next } }
}

export async function read(host: Host, call: Call): Promise<Answer> {
  return answered(await readPanel(host, panelIn(call)))
}

export async function rename(host: Host, call: Call): Promise<Answer> {
  await readPanel(host, panelIn(call))
  const { name } = call.body
  if (typeof name !== 'string' || name === '') throw refusal(422, 'name_invalid', 'A name is needed.')
  const panel = await setWords(host, panelIn(call), { name })
  note(host, call, 'renamed', name)
  return answered(panel)
}

export async function remove(host: Host, call: Call): Promise<Answer> {
  return { status: (await deletePanel(host, panelIn(call))) ? 204 : 202 }
}

export async function suspend(host: Host, call: Call): Promise<Answer> {
  const panel = await suspendPanel(host, panelIn(call), String(call.body.reason ?? ''))
  note(host, call, 'suspended')
  return answered(panel)
}

export async function unsuspend(host: Host, call: Call): Promise<Answer> {
  const panel = await unsuspendPanel(host, panelIn(call))
  note(host, call, 'unsuspended')
  return answered(panel)
}

export async function plan(host: Host, call: Call): Promise<Answer> {
  await readPanel(host, panelIn(call))
  const { plan: code, change_id: change } = call.body
  if (typeof code !== 'string' || typeof change !== 'string')
    throw refusal(422, 'invalid', 'plan and change_id are needed.')
  const body = await changePlan(host, panelIn(call), { plan: code, change, shown })
  note(host, call, 'changed plan', code)
  return { status: 200, body }
}

export async function adopt(host: Host, call: Call): Promise<Answer> {
  const panel = await adoptPanel(host, panelIn(call), call.body)
  note(host, call, 'adopted')
  return answered(panel)
}

export async function release(host: Host, call: Call): Promise<Answer> {
  await releasePanel(host, panelIn(call), call.body.panel_id)
  note(host, call, 'released')
  return { status: 200 }
}
