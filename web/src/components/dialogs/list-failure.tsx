import { Button, Group } from '@mantine/core'
import { dismissListFailure, type ListFailure } from '../../stores/list-failure.ts'
import { m } from '../../texts/compiled/messages.js'
import { Modal } from '../../ui/modal/modal.tsx'

/** The words of a type for a title: `account-balances` becomes Account Balances. */
const typeInWords = (type: string): string =>
  type
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ')

/** A warning that a list could not be loaded. */
export function ListFailureDialog({ failure }: { failure: ListFailure }) {
  return (
    <Modal
      opened
      onClose={dismissListFailure}
      title={m.list_failure_title({ type: typeInWords(failure.type) })}
      closeButtonProps={{ 'aria-label': m.close() }}
    >
      <p style={{ whiteSpace: 'pre-line', marginBottom: 20 }}>{failure.details}</p>
      <Group justify="flex-end">
        <Button variant="default" onClick={dismissListFailure}>
          {m.close()}
        </Button>
      </Group>
    </Modal>
  )
}
