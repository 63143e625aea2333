import { useNavigate } from '@tanstack/react-router'
import { useUser } from '../../api/queries/user.ts'
import { fitting } from '../../components/palette/palette-filter.ts'
import { languageNames, languages, useLanguage } from '../../stores/language.ts'
import { closeOverlay, openOverlay } from '../../stores/overlay.ts'
import { toggleTheme } from '../../stores/theme.ts'
import { m } from '../../texts/compiled/messages.js'
import { type DeskRouteName, deskHref, deskRoutes, isReadBy, portal } from '../routes.ts'
import { signOut, useChooseLanguage } from './session.tsx'

type Command = {
  readonly id: string
  readonly label: string
  readonly isPage?: true
  readonly run: () => void
}

/** Shown at most: with more, typing on is quicker than reading. */
const mostCommands = 6

// The pages that need nothing in their address, and a session.
const isPlace = (name: DeskRouteName): boolean =>
  !(deskRoutes[name].path.includes(':') || 'open' in deskRoutes[name])
// The route table is the record with these keys.
const pages = (Object.keys(deskRoutes) as DeskRouteName[]).filter(isPlace)

/** The pages that the reader has, of the desk and of the portal. */
function usePages(): Command[] {
  const { staff } = useUser()
  const navigate = useNavigate()
  const ofPortal = [
    { id: 'account', label: m.manage_account_title(), run: () => location.assign(portal['manage-account']) },
  ] as const
  const ofDesk = pages
    .filter((name) => isReadBy(staff?.role, name))
    .map((name) => ({
      id: name,
      label: deskRoutes[name].title(),
      run: () => void navigate({ to: deskHref(name) }),
    }))
  return [...ofDesk, ...ofPortal].map((one) => ({ ...one, isPage: true as const }))
}

/** The commands whose name fits what was typed, the best first; none before a letter. */
export function useCommands(typed: string): readonly Command[] {
  const ofPages = usePages()
  const language = useLanguage()
  const chooseLanguage = useChooseLanguage()
  if (typed === '') return []
  const all: Command[] = [
    ...ofPages,
    { id: 'theme', label: m.theme_toggle(), run: toggleTheme },
    ...languages
      .filter((one) => one !== language)
      .map((one) => ({ id: one, label: languageNames[one], run: () => chooseLanguage(one) })),
    // It opens after the search has closed.
    { id: 'keys', label: m.keys_title(), run: () => void setTimeout(() => openOverlay({ kind: 'keys' })) },
    { id: 'sign-out', label: m.sign_out(), run: () => void signOut() },
  ]
  const actions = all.map(({ id, label }) => ({ id, label }))
  const [fit] = fitting(typed, [{ group: '', actions }])
  return (fit?.actions ?? [])
    .flatMap(({ id }) => all.filter((one) => one.id === id))
    .slice(0, mostCommands)
    .map((one) => ({
      ...one,
      run: () => {
        closeOverlay()
        one.run()
      },
    }))
}
