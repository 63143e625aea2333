import { Button } from '@mantine/core'
import { m } from '../../texts/compiled/messages.js'
import classes from './company-lookup.module.css'

type Props = {
  /** The fields that differ, with the tax office's values. */
  names: readonly (readonly [name: string, value: string])[]
  onKeep: () => void
  onReplace: () => void
}

/** Asks whether the tax office's data replace what is typed. */
export function CompanyDiffers({ names, onKeep, onReplace }: Props) {
  return (
    <fieldset className={classes.differs} aria-label={m.company_lookup_differs()}>
      <p>{m.company_lookup_differs()}</p>
      <dl>
        {names.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <div className={classes.buttons}>
        <Button size="xs" variant="default" onClick={onKeep}>
          {m.company_lookup_keep()}
        </Button>
        <Button size="xs" onClick={onReplace}>
          {m.company_lookup_replace()}
        </Button>
      </div>
    </fieldset>
  )
}
