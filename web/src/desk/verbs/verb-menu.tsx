import { Button, Menu } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { m } from '../../texts/compiled/messages.js'
import { IconDots } from '../../ui/icons.tsx'
import '../../ui/styles/menu.ts'

type Props<N extends string> = {
  /** The verbs that the reader may use now, in their order. */
  offered: readonly N[]
  label: (verb: N) => string
  dialog: (verb: N, onClose: () => void) => ReactNode
  /** The row of a table whose verbs these are: three dots with its name for screen readers. */
  row?: string
}

/** Verbs behind one button, each with its dialog. Without verbs there is no button. */
export function VerbMenu<N extends string>({ offered, label, dialog, row }: Props<N>) {
  const [open, setOpen] = useState<N>()
  const named = row === undefined ? {} : { size: 'xs', px: 6, 'aria-label': m.desk_panel_more({ name: row }) }
  return (
    <>
      {offered.length > 0 && (
        <Menu position="bottom-end" width={260}>
          <Menu.Target>
            <Button variant="default" {...named}>
              {row === undefined ? m.desk_client_more() : <IconDots size={18} aria-hidden="true" />}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {offered.map((verb) => (
              <Menu.Item key={verb} onClick={() => setOpen(verb)}>
                {label(verb)}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
      {open !== undefined && dialog(open, () => setOpen(undefined))}
    </>
  )
}
