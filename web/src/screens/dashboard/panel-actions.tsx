import type { Panel } from '../../api/queries/workspaces.ts'
import { m } from '../../texts/compiled/messages.js'
import { MoreMenu } from './more-menu.tsx'

/** Another person's panel: its entry in the reader's own list of shared panels. */
export type Sharing = {
  readonly id: number
  readonly hidden: boolean
  /** The name of the owner. */
  readonly owner: string
  /** Its workspace. */
  readonly workspace: string | undefined
}

/** A panel with its available actions. */
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
