import { Checkbox } from '@mantine/core'
import type { Permissions } from '@portico/contract/permission-object.ts'
import { m } from '../../texts/compiled/messages.js'
import { AllowBox } from './allow-box.tsx'
import { allowedIn, type Known, levelOf, panelsOf, withEntry, withLevel } from './choices.ts'
import { LevelField } from './level-field.tsx'
import classes from './permission-fields.module.css'
import '../../ui/styles/checkbox.ts'

type Props = { workspace: Known; value: Permissions; onChange: (permissions: Permissions) => void }

function Panels({ workspace: { id, name, panels }, value, onChange }: Props) {
  if (panels.length === 0) return <p className="quiet">{m.permission_no_panels()}</p>
  return (
    <Checkbox.Group
      label={m.permission_panels_in({ name })}
      value={panelsOf(value, id).map(String)}
      onChange={(chosen) =>
        onChange(withEntry(value, id, { panels: chosen.map(Number).sort((a, b) => a - b) }))
      }
    >
      <div className={classes.panels}>
        {panels.map((panel) => (
          <Checkbox key={panel.id} value={String(panel.id)} label={panel.name} />
        ))}
      </div>
    </Checkbox.Group>
  )
}

/** The shared part of one workspace. */
function WorkspaceChoice(props: Props) {
  const { workspace, value, onChange } = props
  const { id, name } = workspace
  const level = levelOf(value, id)
  const allow = (what: 'add_panels' | 'delete_panels', label: string) => (
    <AllowBox
      label={label}
      value={allowedIn(value, what, id) && value[what] === 'allowed' ? 'allowed' : 'denied'}
      // The general permission takes precedence.
      disabled={value[what] === 'denied'}
      onChange={(allowed) => onChange(withEntry(value, id, { [what]: allowed }))}
    />
  )
  return (
    <li className={classes.workspace}>
      <LevelField label={name} value={level} onChange={(chosen) => onChange(withLevel(value, id, chosen))} />
      {level === 'custom' && <Panels {...props} />}
      {level !== 'none' && (
        <fieldset className={classes.row} aria-label={m.permission_narrow({ name })}>
          {allow('add_panels', m.permission_add_one())}
          {allow('delete_panels', m.permission_delete_one())}
        </fieldset>
      )}
    </li>
  )
}

/** What is shared, of which workspaces. */
export type Chosen = {
  value: Permissions
  workspaces: readonly Known[]
  onChange: (permissions: Permissions) => void
}

/** The shared part of each workspace. */
export function WorkspaceChoices({ workspaces, ...chosen }: Chosen) {
  return (
    <ul className={classes.workspaces}>
      {workspaces.map((workspace) => (
        <WorkspaceChoice key={workspace.id} workspace={workspace} {...chosen} />
      ))}
    </ul>
  )
}
