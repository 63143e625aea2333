import { Drawer } from '@mantine/core'
import type { ReactNode } from 'react'
import '../../../ui/styles/dialog.ts'
import { When } from '../../../components/when.tsx'
import { m } from '../../../texts/compiled/messages.js'
import { Copyable } from '../../../ui/copy/copyable.tsx'
import { useFocusBack } from '../../../ui/modal/focus-back.ts'
import classes from './row-drawer.module.css'

type Props = {
  name: string
  seenAt: string
  facts: readonly { readonly name: string; readonly label: string; readonly value: ReactNode }[]
  /** Further facts. */
  more?: ReactNode
  /** The actions on it. */
  verbs?: ReactNode
  /** Details that do not fit into the list. */
  children?: ReactNode
  onClose: () => void
}

/** Everything that is known of a server, cluster or domain, with what one uses elsewhere to copy. */
export function RowDrawer({ name, seenAt, facts, more, verbs, children, onClose }: Props) {
  useFocusBack()
  return (
    <Drawer
      opened
      position="right"
      title={name}
      closeButtonProps={{ 'aria-label': m.close() }}
      onClose={onClose}
    >
      {verbs}
      <dl className={classes.facts}>
        <dt>{m.column_name()}</dt>
        <dd>
          <Copyable value={name} label={m.copy_one({ what: name })} done={m.copied()} />
        </dd>
        {facts.map(({ name: key, label, value }) => (
          <div key={key}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
        {more}
        <dt>{m.resource_seen()}</dt>
        <dd>
          <When moment={seenAt} />
        </dd>
      </dl>
      {children}
    </Drawer>
  )
}
