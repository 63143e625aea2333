import { Button } from '@mantine/core'
import { asFailure } from '../api/failure.ts'
import { m } from '../texts/compiled/messages.js'
import { Empty } from '../ui/empty.tsx'
import { IconAlert } from '../ui/icons.ts'

/** What could not be read, in the server's words, and another try. */
export function LoadFailure({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { status, message, details } = asFailure(error)
  return (
    <div role="alert">
      <Empty icon={<IconAlert size={20} />} title={m.load_failed()} text={status === 0 ? m.offline_short() : details || message}>
        <Button variant="default" onClick={onRetry}>{m.retry()}</Button>
      </Empty>
    </div>
  )
}
