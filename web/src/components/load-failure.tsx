import { Button } from '@mantine/core'
import { asFailure } from '../api/failure.ts'
import { m } from '../texts/compiled/messages.js'
import { Empty } from '../ui/empty.tsx'
import { IconAlert } from '../ui/icons.ts'

/** What could not be read, in the server's words, and another try. */
export function LoadFailure({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { status, message, details, requestId } = asFailure(error)
  const said = status === 0 ? m.offline_short() : details || message
  const text = requestId ? `${said}\n${m.error_request({ id: requestId })}` : said
  return (
    <div role="alert">
      <Empty icon={<IconAlert size={20} />} title={m.load_failed()} text={text}>
        <Button variant="default" onClick={onRetry}>
          {m.retry()}
        </Button>
      </Empty>
    </div>
  )
}
