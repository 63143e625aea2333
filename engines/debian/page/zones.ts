import { ask, button, el, form, remover } from './dom.ts'
import { t } from './words.ts'

type RecordSet = {
  readonly name: string
  readonly type: string
  readonly ttl: number
  readonly contents: readonly string[]
}
type Zone = {
  readonly records: readonly RecordSet[]
  readonly types: readonly string[]
  readonly dnssec: boolean
  readonly ds: readonly string[]
}
type Zones = {
  readonly zones: readonly string[]
  readonly servers: readonly string[]
  readonly mayAdd: boolean
}

const row = (zone: string, { name, type, contents }: RecordSet, again: () => Promise<void>) =>
  el(
    'li',
    {},
    el('span', { class: 'grow' }, el('b', {}, `${name} `), el('span', { class: 'soft' }, type)),
    el('code', { class: 'grow' }, contents.join('\n')),
    // The records of the zone itself that name its servers are the operator's.
    name === zone && type === 'NS'
      ? ''
      : button(t('remove'), async () => {
          if (!confirm(t('sureRecord'))) return
          await ask('/zones/record', { zone, name, type, contents: [] })
          await again()
        }),
  )

async function showZone(zone: string, place: HTMLElement): Promise<void> {
  const { records, types, dnssec, ds } = await ask<Zone>('/zones/read', { zone })
  const again = () => showZone(zone, place)
  const options = types.map((type) => el('option', {}, type))
  const fields = {
    name: el('input', { 'aria-label': t('name'), required: true, value: zone }),
    type: el('select', { 'aria-label': t('type') }, ...options),
    contents: el('textarea', { 'aria-label': t('contents'), required: true, rows: '2' }),
  }
  const save = async ({ name, type, contents }: Readonly<Record<string, unknown>>) => {
    const lines = String(contents).split('\n').filter(Boolean)
    await ask('/zones/record', { zone, name, type, contents: lines })
    await again()
  }
  const turn = async () => {
    await ask('/zones/sign', { zone, dnssec: !dnssec })
    await again()
  }
  place.replaceChildren(
    el('ul', {}, ...records.map((one) => row(zone, one, again))),
    form(fields, t('save'), save),
    el('p', {}, button(dnssec ? t('unsign') : t('sign'), turn)),
    ...(ds.length > 0 ? [el('p', { class: 'soft' }, t('ds')), el('code', {}, ds.join('\n'))] : []),
  )
}

function zoneRow(zone: string, again: (() => Promise<void>) | undefined): HTMLElement {
  const place = el('div', { class: 'wide' })
  let isOpen = false
  const toggle = async () => {
    isOpen = !isOpen
    if (isOpen) await showZone(zone, place)
    else place.replaceChildren()
  }
  const remove = async (after: () => Promise<void>) => {
    await ask('/zones/remove', { zone })
    await after()
  }
  const deletion = again ? [remover(zone, () => remove(again))] : []
  return el('li', {}, el('b', { class: 'grow' }, zone), button(t('records'), toggle), ...deletion, place)
}

/** The domains of the panel, with their records. */
export async function zonesSection(): Promise<HTMLElement> {
  const section = el('section', { 'aria-label': t('domains') })
  const show = async () => {
    const { zones, servers, mayAdd } = await ask<Zones>('/zones')
    const add = async ({ zone }: Readonly<Record<string, unknown>>) => {
      await ask('/zones/add', { zone: String(zone).trim().toLowerCase() })
      await show()
    }
    section.replaceChildren(
      el('h2', {}, t('domains')),
      el('p', { class: 'soft' }, `${t('nameServers')} ${servers.join(', ')}`),
      zones.length === 0
        ? el('p', { class: 'soft' }, t('none'))
        : el('ul', {}, ...zones.map((zone) => zoneRow(zone, mayAdd ? show : undefined))),
      ...(mayAdd
        ? [form({ zone: el('input', { 'aria-label': t('zone'), required: true }) }, t('addZone'), add)]
        : []),
    )
  }
  await show()
  return section
}
