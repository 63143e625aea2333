import { Button } from '@mantine/core'
import type { ErrorComponentProps } from '@tanstack/react-router'
import { asFailure } from '../api/failure.ts'
import { Message } from '../components/message.tsx'
import { href } from '../routes.ts'
import { m } from '../texts/compiled/messages.js'
import { ChunkFailed, mayReload } from '../ui/loading/chunk.ts'

type Props = ErrorComponentProps & { lone?: boolean }

/** What is shown when a page could not be. `lone`: its layout could not be either. */
export function ErrorScreen({ error, lone = true }: Props) {
  // The browser is about to load the page anew; an error that is gone in a moment would only frighten.
  if (error instanceof ChunkFailed && mayReload()) return null
  const { requestId } = asFailure(error)
  const text = error instanceof ChunkFailed ? m.error_chunk() : m.error_text()
  return (
    <Message
      lone={lone}
      title={m.error_page_title()}
      text={text}
      note={requestId && m.error_request({ id: requestId })}
    >
      <Button onClick={() => location.reload()}>{m.try_again()}</Button>
      <a href={href('dashboard')}>{m.to_dashboard()}</a>
    </Message>
  )
}
