import type { ComponentType } from 'react'
import { IconDots } from '../../ui/icons.tsx'
import { LateMenu, type LateMenuProps } from '../../ui/loading/late-menu.tsx'
import classes from './dashboard.module.css'

type Props<P> = {
  label: string
  /** Loads the menu. */
  load: () => Promise<ComponentType<LateMenuProps<P>>>
  of: P
}

/** The three dots next to an item, with its actions. */
export function MoreMenu<P>({ label, ...menu }: Props<P>) {
  return (
    <LateMenu {...menu}>
      <button type="button" className={classes.more} aria-haspopup="menu" aria-label={label}>
        <IconDots size={18} aria-hidden="true" />
      </button>
    </LateMenu>
  )
}
