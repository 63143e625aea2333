import type { Host } from '../host.ts'
import { refusal } from '../refusal.ts'
import type { Asked } from './making.ts'
import { allPanels, type Panel, readPanel, setWords } from './truth.ts'

const text = (value: unknown) => (typeof value === 'string' ? value : '')
const isTaken = () => refusal(409, 'taken', 'It is the panel of somebody else.')

/** Links a panel that is nobody's. Nothing in it is touched; its use counts from now on. */
export async function adoptPanel(
  host: Host,
  id: string,
  { panel_id: panelId, name, owner }: Asked,
): Promise<Panel> {
  await readPanel(host, id)
  if (typeof panelId !== 'number' || typeof name !== 'string')
    throw refusal(422, 'invalid', 'panel_id and name are needed.')
  await host.sample(id)
  return host.locks.alone('owners', async () => {
    const all = await allPanels(host)
    const panel = await readPanel(host, id)
    if (panel.panelId === panelId) return panel
    if (panel.panelId !== null || all.some((one) => one.panelId === panelId)) throw isTaken()
    const { subject, display_name: owner_name, email } = Object(owner)
    const who = { owner: text(subject), owner_name: text(owner_name), owner_email: text(email) }
    return setWords(host, id, { engine: host.settings.code, panel_id: String(panelId), name, ...who })
  })
}

/** Makes a panel nobody's again; nothing is deleted. */
export async function releasePanel(host: Host, id: string, panelId: unknown): Promise<void> {
  await readPanel(host, id)
  await host.sample(id)
  await host.locks.alone('owners', async () => {
    const panel = await readPanel(host, id)
    if (panel.panelId === null) return
    if (panel.panelId !== panelId) throw isTaken()
    // What this engine made it goes on mending; another one may take over the rest.
    await setWords(host, id, { panel_id: '', ...(panel.bridge === '' && { engine: '' }) })
    host.store.endVisits(id)
  })
}
