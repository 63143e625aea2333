import type { Permissions } from '@portico/contract/permission-object.ts'
import { m } from '../../texts/compiled/messages.js'
import { Section, SectionBody } from '../../ui/section.tsx'
import classes from './preset-choice.module.css'
import { type PresetName, permissionsOf, presetOf, presetWords } from './presets.ts'

// The keys of the record that names them.
const names = Object.keys(presetWords) as PresetName[]

type Props = {
  value: Permissions
  fault: string | undefined
  onChange: (permissions: Permissions) => void
}

/** The kind of access: three usual ones, or one's own. */
export function PresetChoice({ value, fault, onChange }: Props) {
  const chosen = presetOf(value)
  return (
    <Section id="preset" title={m.preset_title()}>
      <SectionBody>
        <fieldset className={classes.choice} aria-labelledby="preset-heading">
          {names.map((name) => (
            <label key={name} className={classes.card}>
              <input
                type="radio"
                name="preset"
                checked={name === chosen}
                aria-invalid={fault !== undefined || undefined}
                aria-describedby={`preset-${name}${fault === undefined ? '' : ' preset-fault'}`}
                onChange={() => onChange(permissionsOf(name))}
              />
              <span>
                <strong>{presetWords[name].name()}</strong>
                <span id={`preset-${name}`} className="quiet">
                  {presetWords[name].text()}
                </span>
              </span>
            </label>
          ))}
        </fieldset>
        {fault !== undefined && (
          <p id="preset-fault" role="alert" className={classes.fault}>
            {fault}
          </p>
        )}
      </SectionBody>
    </Section>
  )
}
