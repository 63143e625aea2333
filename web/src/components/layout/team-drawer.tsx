import { Button, Drawer } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { href } from '../../routes.ts'
import { closeOverlay } from '../../stores/overlay.ts'
import { m } from '../../texts/compiled/messages.js'
import '../../ui/dialog-styles.ts'
import { Empty } from '../../ui/empty.tsx'
import { IconTeam } from '../../ui/icons.ts'

/** Who else may work here, and the way to invite somebody. */
export function TeamDrawer() {
  return (
    <Drawer
      opened
      onClose={closeOverlay}
      title={m.team_title()}
      closeButtonProps={{ 'aria-label': m.close() }}
    >
      <Empty icon={<IconTeam size={20} />} title={m.team_empty_title()} text={m.team_empty_text()}>
        <Button component={Link} to={href('manage-permissions')} onClick={closeOverlay}>
          {m.invite()}
        </Button>
      </Empty>
    </Drawer>
  )
}
