import { ask, button, el } from './dom.ts'
import { serversSection } from './servers.ts'
import { language, switchLanguage, t, wordOr } from './words.ts'
import { zonesSection } from './zones.ts'

type Act = {
  readonly at: number
  readonly kind: string
  readonly action: string
  readonly target: string | null
}
type Panel = { readonly name: string; readonly scopes: readonly string[]; readonly person: string | null }
const moment = new Intl.DateTimeFormat(language, { dateStyle: 'short', timeStyle: 'short' })

async function activitySection(): Promise<HTMLElement> {
  const { acts } = await ask<{ acts: readonly Act[] }>('/activity')
  const rows = acts.map(({ at, kind, action, target }) =>
    el(
      'li',
      {},
      el('span', { class: 'grow' }, `${wordOr(action.replaceAll(' ', '_'))} ${target ?? ''}`),
      el('span', { class: 'soft' }, `${wordOr(kind)} · ${moment.format(at)}`),
    ),
  )
  return el('section', { 'aria-label': t('activity') }, el('h2', {}, t('activity')), el('ul', {}, ...rows))
}

async function show(main: HTMLElement): Promise<void> {
  document.documentElement.lang = language
  const { name, scopes } = await ask<Panel>('/panel')
  document.title = name
  const leave = async () => {
    await ask('/leave')
    location.reload()
  }
  const header = el(
    'header',
    {},
    el('h1', {}, name),
    button(t('language'), async () => switchLanguage()),
    button(t('leave'), leave),
  )
  const may = (scope: string) => scopes.includes(scope)
  main.replaceChildren(header)
  if (may('account_access') || may('create_dev_env')) main.append(await serversSection())
  if (may('domain_access')) main.append(await zonesSection())
  if (may('account_access')) main.append(await activitySection())
  main.removeAttribute('aria-busy')
}

const main = document.getElementById('main')
if (main)
  show(main).catch((error: unknown) => {
    main.removeAttribute('aria-busy')
    main.replaceChildren(el('p', { role: 'alert' }, error instanceof Error ? error.message : t('failed')))
  })
