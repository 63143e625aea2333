import type { Panel } from '../../../api/queries/workspaces.ts'
import { Many } from '../../../components/many/many.tsx'
import { m } from '../../../texts/compiled/messages.js'
import classes from '../dashboard.module.css'
import { PanelCard } from '../panel-card.tsx'

/** The cards of a workspace with many panels. */
export function ManyPanels({ panels }: { panels: readonly Panel[] }) {
  return (
    <Many items={panels} label={m.palette_panels()} namesOf={({ name }) => [name]} count={m.panels_found}>
      {(shown) => (
        <ul className={classes.grid}>
          {shown.map((panel) => (
            <li key={panel.id}>
              <PanelCard panel={panel} />
            </li>
          ))}
        </ul>
      )}
    </Many>
  )
}
