import { Button } from '@mantine/core'
import type { Row } from '../../api/rows.ts'
import { useConnect } from '../../components/panel-connect.ts'
import { m } from '../../texts/compiled/messages.js'

/** Opens a panel that its owner has opened to staff. */
export function OpenPanelButton({ panel }: { panel: Row<'panels'> }) {
  const { open, isPending } = useConnect()
  return (
    <Button
      size="xs"
      aria-label={m.connect_to({ name: panel.name })}
      loading={isPending}
      onClick={() => open(panel)}
    >
      {m.connect()}
    </Button>
  )
}
