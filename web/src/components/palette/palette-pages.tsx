import { useMantineColorScheme } from '@mantine/core'
import type { SpotlightActionData } from '@mantine/spotlight'
import { useUser } from '../../api/queries/user.ts'
import { useWorkspaces } from '../../api/queries/workspaces.ts'
import { href } from '../../routes.ts'
import { languageNames, languages, useLanguage } from '../../stores/language.ts'
import { openOverlay } from '../../stores/overlay.ts'
import { m } from '../../texts/compiled/messages.js'
import { IconBell, IconDomain, IconMessages, IconMoon, IconOpen, IconPlus } from '../../ui/icons.tsx'
import { IconDevice, IconMenu } from '../../ui/more-icons.tsx'
import { useChooseLanguage, useSignOut } from '../person.ts'
import { paletteLinks } from '../top-bar/account-links.ts'
import { before, usePlaces } from './use-places.tsx'

/** Opens after the palette has closed, because closing it closes every overlay. */
export const afterwards = (open: () => void) => () => void setTimeout(open)

/** The tabs of Billing, which people look for by their own names. */
const billingTabs = [
  { tab: 'methods', label: m.billing_methods },
  { tab: 'payments', label: m.payments_title },
  { tab: 'invoices', label: m.invoices_title },
] as const

/** The pages that the person has, and the tabs of Billing. */
export function usePages(): SpotlightActionData[] {
  const place = usePlaces()
  const user = useUser()
  const tabs = user.staff === null ? billingTabs : []
  return [
    ...paletteLinks(user).map(({ to, name }) => place({ id: to, label: name(), to })),
    ...tabs.map(({ tab, label }) =>
      place({
        id: `billing-${tab}`,
        label: label(),
        description: m.billing_title(),
        to: href('billing'),
        search: { tab },
      }),
    ),
  ]
}

/** The pages where a client adds something. */
function useAdditions(): SpotlightActionData[] {
  const place = usePlaces()
  const { current } = useWorkspaces()
  const plus = before(IconPlus)
  return [
    {
      ...place({ id: 'add-ticket', label: m.add_ticket_title(), to: href('add-ticket') }),
      leftSection: before(IconMessages),
    },
    ...(current?.may.addPanel
      ? [
          {
            id: 'add-panel',
            label: m.panel_add(),
            description: current.name,
            leftSection: plus,
            onClick: afterwards(() =>
              openOverlay({ kind: 'add-panel', projectId: current.id, clientId: current.client_id }),
            ),
          },
        ]
      : []),
    {
      id: 'add-workspace',
      label: m.workspace_add(),
      leftSection: plus,
      onClick: afterwards(() => openOverlay({ kind: 'add-workspace' })),
    },
  ]
}

/** Theme and language. */
function useLooks(): SpotlightActionData[] {
  const { toggleColorScheme, setColorScheme } = useMantineColorScheme()
  const chosen = useLanguage()
  const chooseLanguage = useChooseLanguage()
  return [
    {
      id: 'theme',
      label: m.theme_toggle(),
      keywords: m.theme(),
      leftSection: before(IconMoon),
      onClick: toggleColorScheme,
    },
    {
      id: 'theme-system',
      label: m.palette_theme_system(),
      leftSection: before(IconDevice),
      onClick: () => setColorScheme('auto'),
    },
    ...languages
      .filter((code) => code !== chosen)
      .map((code) => ({
        id: `language-${code}`,
        label: languageNames[code],
        description: m.language(),
        leftSection: before(IconDomain),
        onClick: () => chooseLanguage(code),
      })),
  ]
}

/** The actions that are available everywhere. */
export function useCommands(): SpotlightActionData[] {
  const { staff } = useUser()
  const additions = useAdditions()
  const looks = useLooks()
  const signOut = useSignOut()
  return [
    ...(staff === null ? additions : []),
    {
      id: 'notifications',
      label: m.notifications(),
      leftSection: before(IconBell),
      onClick: afterwards(() => openOverlay({ kind: 'notifications' })),
    },
    ...looks,
    {
      id: 'keys',
      label: m.keys_title(),
      leftSection: before(IconMenu),
      onClick: afterwards(() => openOverlay({ kind: 'keys' })),
    },
    { id: 'sign-out', label: m.sign_out(), leftSection: before(IconOpen), onClick: () => void signOut() },
  ]
}
