import type { Panel } from '../../api/queries/workspaces.ts'
import { m } from '../../texts/compiled/messages.js'
import { MoreMenu } from './more-menu.tsx'

/** What makes a panel one of somebody else's: its place in the reader's own list of such panels. */
export type Sharing = {
  readonly id: number
  readonly hidden: boolean
  /** The name of the owner. */
  readonly owner: string
  /** The workspace that it is in. */
  readonly workspace: string | undefined
}

/** A panel with what can be done about it. */
export type Acted = { readonly panel: Panel; readonly sharing?: Sharing | undefined }

export function PanelActions(of: Acted) {
  return (
    <MoreMenu
      label={m.panel_menu({ name: of.panel.name })}
      load={async () => (await import('./panel-menu.tsx')).PanelMenu}
      of={of}
    />
  )
}
