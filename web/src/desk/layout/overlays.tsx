import { Drawer } from '@mantine/core'
import { useUser } from '../../api/queries/user.ts'
import { KeysDialog } from '../../components/dialogs/keys.tsx'
import { closeOverlay, useOverlay } from '../../stores/overlay.ts'
import { m } from '../../texts/compiled/messages.js'
import '../../ui/styles/dialog.ts'
import { keysOf } from './key-table.ts'
import { Navigation } from './navigation.tsx'
import { NoticesModal } from './notices.tsx'
import { Search } from './search.tsx'

/** The drawer of phones, and dialogs over any page; loaded when the first is opened. */
export function Overlays() {
  const { kind } = useOverlay()
  const { staff } = useUser()
  if (kind === 'keys') return <KeysDialog keys={keysOf(staff?.role)} />
  if (kind === 'palette') return <Search />
  if (kind === 'notifications') return <NoticesModal />
  if (kind !== 'bar') return null
  return (
    <Drawer
      opened
      onClose={closeOverlay}
      size={300}
      title={m.desk()}
      closeButtonProps={{ 'aria-label': m.close() }}
    >
      <Navigation />
    </Drawer>
  )
}
