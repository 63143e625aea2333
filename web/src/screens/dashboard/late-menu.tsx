import { type ComponentType, type ReactNode, useState } from 'react'
import { chunk } from '../../ui/chunk.ts'
import { IconDots } from '../../ui/icons.ts'
import { useLate } from '../../ui/late.tsx'
import classes from './dashboard.module.css'

export type LateMenuProps<P> = { of: P; startOpen: boolean; children: ReactNode }

type Props<P> = {
  label: string
  /** Brings the menu. */
  load: () => Promise<ComponentType<LateMenuProps<P>>>
  of: P
}

/** The button of a menu; the menu itself comes when one reaches for it. */
export function LateMenu<P>({ label, load, of }: Props<P>) {
  const [Menu, wake] = useLate(() => chunk(load))
  const [pressed, setPressed] = useState(false)
  const press = () => {
    setPressed(true)
    wake()
  }
  const button = (
    <button
      type="button"
      className={classes.more}
      aria-haspopup="menu"
      aria-label={label}
      {...(!Menu && { onPointerEnter: wake, onFocus: wake, onClick: press })}
    >
      <IconDots size={18} aria-hidden="true" />
    </button>
  )
  return Menu ? (
    <Menu of={of} startOpen={pressed}>
      {button}
    </Menu>
  ) : (
    button
  )
}
