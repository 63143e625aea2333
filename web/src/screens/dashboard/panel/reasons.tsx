import type { Panel } from '../../../api/queries/workspaces.ts'
import { saidInWords } from '../../../components/panel-reason.ts'
import { When } from '../../../components/when.tsx'
import { m } from '../../../texts/compiled/messages.js'
import { Status } from '../../../ui/status.tsx'
import classes from './reasons.module.css'

/** The problems that the engine reports of the panel or its resources. During an upgrade an older replica reports none. */
export function Reasons({ panel: { reasons = [] } }: { panel: Partial<Pick<Panel, 'reasons'>> }) {
  if (reasons.length === 0) return null
  return (
    <ul className={`card ${classes.reasons}`} aria-label={m.reasons_said()}>
      {reasons.map(({ code, since, resource }) => (
        <li key={`${code} ${resource}`}>
          <Status tone={code === 'maintenance' ? 'idle' : 'warn'}>{saidInWords(code)}</Status>
          {resource && <span>{resource}</span>}
          <span className={classes.since}>
            <When moment={since} />
          </span>
        </li>
      ))}
    </ul>
  )
}
