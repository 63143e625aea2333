import { m } from '../../texts/compiled/messages.js'
import type { PanelGroup } from './panels.ts'

/** Panels to choose from, under their workspaces. */
export function PanelOptions({ groups }: { groups: readonly PanelGroup[] }) {
  return groups.map(({ name, panels }) => (
    <optgroup key={name ?? ''} label={name ?? m.ticket_panels_shared()}>
      {panels.map((panel) => (
        <option key={panel.id} value={panel.id}>
          {panel.name}
        </option>
      ))}
    </optgroup>
  ))
}
