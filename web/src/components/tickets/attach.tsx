import { Button } from '@mantine/core'
import { fileExtensions, fileLimits } from '@portico/contract/rules/tickets/ticket-files.ts'
import { type ClipboardEvent, type DragEvent, type ReactNode, Suspense, useRef, useState } from 'react'
import { m } from '../../texts/compiled/messages.js'
import { lazily } from '../../ui/loading/lazily.ts'
import { IconClip } from '../../ui/more-icons.tsx'
import { size } from '../../ui/size.ts'
import classes from './attach.module.css'
import type { Uploads } from './uploads.ts'

const AttachedList = lazily(async () => (await import('./attached-list.tsx')).AttachedList)

const accepted = fileExtensions.map((extension) => `.${extension}`).join(',')

const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes('Files')

/** Accepts files that are dropped or pasted inside. */
export function DropArea({ uploads, children }: { uploads: Uploads; children: ReactNode }) {
  const [isOver, setIsOver] = useState(false)
  const over = (event: DragEvent) => {
    if (!hasFiles(event)) return
    event.preventDefault()
    setIsOver(true)
  }
  const leave = ({ currentTarget, relatedTarget }: DragEvent) => {
    if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setIsOver(false)
  }
  const drop = (event: DragEvent) => {
    if (!hasFiles(event)) return
    event.preventDefault()
    setIsOver(false)
    uploads.add([...event.dataTransfer.files])
  }
  const paste = (event: ClipboardEvent) => {
    // A copied table comes as a picture and as text; the text is meant.
    if (event.clipboardData.files.length === 0 || event.clipboardData.types.includes('text/plain')) return
    event.preventDefault()
    uploads.add([...event.clipboardData.files])
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button below does the same by keyboard.
    <div
      className={classes.area}
      data-over={isOver || undefined}
      onDragEnter={over}
      onDragOver={over}
      onDragLeave={leave}
      onDrop={drop}
      onPaste={paste}
    >
      {children}
      {isOver && <div className={classes.here}>{m.files_drop_here()}</div>}
    </div>
  )
}

/** A button that opens the system's file dialog. */
export function AttachButton({ uploads }: { uploads: Uploads }) {
  const input = useRef<HTMLInputElement>(null)
  const isFull = uploads.all.length >= fileLimits.filesPerMessage
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        accept={accepted}
        aria-label={m.files_attach()}
        onChange={({ currentTarget }) => {
          uploads.add([...(currentTarget.files ?? [])])
          // The same file can be chosen again after it was removed.
          currentTarget.value = ''
        }}
      />
      <Button
        variant="default"
        leftSection={<IconClip size={16} aria-hidden="true" />}
        disabled={isFull}
        onClick={() => input.current?.click()}
      >
        {m.files_attach()}
      </Button>
    </>
  )
}

/** The attached files. */
export function AttachedFiles({ uploads }: { uploads: Uploads }) {
  return <Suspense>{uploads.all.length > 0 && <AttachedList uploads={uploads} />}</Suspense>
}

/** The limits of attachments. */
export const attachHint = (): string =>
  m.files_hint({ count: fileLimits.filesPerMessage, size: size(fileLimits.each) })
