import { Button } from '@mantine/core'
import type { ErrorComponentProps } from '@tanstack/react-router'
import { asFailure } from '../api/failure.ts'
import { Message } from '../components/message.tsx'
import { href } from '../routes.ts'
import { m } from '../texts/compiled/messages.js'
import { ChunkFailed, mayReload } from '../ui/loading/chunk.ts'

type Props = ErrorComponentProps & { lone?: boolean }

/** Shown when a page fails to render. `lone`: its layout failed too. */
export function ErrorScreen({ error, lone = true }: Props) {
  // Hidden while the browser is about to reload the page, because the error would only flash.
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
