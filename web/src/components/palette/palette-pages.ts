import { useMantineColorScheme } from '@mantine/core'
import type { SpotlightActionData } from '@mantine/spotlight'
import { useNavigate } from '@tanstack/react-router'
import { useUser } from '../../api/queries/user.ts'
import { href } from '../../routes.ts'
import { openOverlay } from '../../stores/overlay.ts'
import { m } from '../../texts/compiled/messages.js'
import { paletteLinks } from '../top-bar/account-links.ts'

/** Opens after the palette has closed, because closing it closes every overlay. */
const afterwards = (open: () => void) => () => void setTimeout(open)

/** The tabs of Billing, which people look for by their own names. */
const billingTabs = [
  { tab: 'methods', label: m.billing_methods },
  { tab: 'payments', label: m.payments_title },
  { tab: 'invoices', label: m.invoices_title },
] as const

/** The pages that the person has, and the tabs of Billing. */
export function usePages(): SpotlightActionData[] {
  const navigate = useNavigate()
  const user = useUser()
  const tabs = user.staff === null ? billingTabs : []
  return [
    ...paletteLinks(user).map(({ to, name }) => ({ id: to, label: name(), onClick: () => navigate({ to }) })),
    ...tabs.map(({ tab, label }) => ({
      id: `billing-${tab}`,
      label: label(),
      description: m.billing_title(),
      onClick: () => navigate({ to: href('billing'), search: { tab } }),
    })),
  ]
}

/** What can be done from anywhere. */
export function useCommands(): SpotlightActionData[] {
  const navigate = useNavigate()
  const { staff } = useUser()
  const { toggleColorScheme } = useMantineColorScheme()
  const ofClients = [
    { id: 'add-ticket', label: m.add_ticket_title(), onClick: () => navigate({ to: href('add-ticket') }) },
    {
      id: 'add-workspace',
      label: m.workspace_add(),
      onClick: afterwards(() => openOverlay({ kind: 'add-workspace' })),
    },
  ]
  return [
    ...(staff === null ? ofClients : []),
    { id: 'theme', label: m.theme_toggle(), keywords: m.theme(), onClick: toggleColorScheme },
    { id: 'keys', label: m.keys_title(), onClick: afterwards(() => openOverlay({ kind: 'keys' })) },
  ]
}
