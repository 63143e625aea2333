import { type ComponentType, useState } from 'react'
import type { Panel } from '../../api/workspaces.ts'
import { m } from '../../texts/compiled/messages.js'
import { chunk } from '../../ui/chunk.ts'
import { IconDots } from '../../ui/icons.ts'
import { useLate } from '../../ui/late.tsx'
import classes from './dashboard.module.css'
import type { PanelMenuProps } from './panel-menu.tsx'

const load = (): Promise<ComponentType<PanelMenuProps>> =>
  chunk(async () => (await import('./panel-menu.tsx')).PanelMenu)

/** The button of a panel's menu; the menu itself comes when one reaches for it. */
export function PanelActions({ panel }: { panel: Panel }) {
  const [Menu, wake] = useLate(load)
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
      aria-label={m.panel_menu({ name: panel.name })}
      {...(!Menu && { onPointerEnter: wake, onFocus: wake, onClick: press })}
    >
      <IconDots size={18} aria-hidden="true" />
    </button>
  )
  return Menu ? (
    <Menu panel={panel} startOpen={pressed}>
      {button}
    </Menu>
  ) : (
    button
  )
}
