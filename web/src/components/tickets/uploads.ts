import { extensionOf, fileExtensions, fileLimits } from '@portico/contract/rules/tickets/ticket-files.ts'
import { base } from '@portico/contract/wire.ts'
import { useEffect, useMemo, useRef, useState } from 'react'
import { asFailure } from '../../api/failure.ts'
import { upload } from '../../api/files/upload.ts'
import { http } from '../../api/http.ts'
import { inWords } from '../../api/refusal-words.ts'
import { m } from '../../texts/compiled/messages.js'
import { size } from '../../ui/size.ts'

/** A file on the server that is not attached yet. */
export type Attached = { id: number; filename: string; size: number; expires_at: string | null }

/** Whether a stored value is such a file. */
export const isAttached = (kept: unknown): kept is Attached =>
  typeof kept === 'object' &&
  kept !== null &&
  'id' in kept &&
  Number.isInteger(kept.id) &&
  'filename' in kept &&
  typeof kept.filename === 'string' &&
  'size' in kept &&
  typeof kept.size === 'number' &&
  'expires_at' in kept &&
  (kept.expires_at === null || typeof kept.expires_at === 'string')

type State =
  /** `share`: from 0 to 1. */
  | { kind: 'sending'; share: number }
  | { kind: 'done'; file: Attached }
  /** `final`: a retry would fail as well. */
  | { kind: 'failed'; why: string; final: boolean }

export type Upload = { key: string; name: string; size: number; state: State }

type Source = { file: File; stop: AbortController }

/** The reason why a file is refused before the upload. */
function faultOf(file: File, hasRoom: boolean): string | undefined {
  if (!hasRoom) return m.file_fault_most({ count: fileLimits.filesPerMessage })
  if (extensionOf(file.name) === undefined) return m.file_fault_kind({ kinds: fileExtensions.join(', ') })
  if (file.size > fileLimits.each) return m.file_fault_size({ size: size(fileLimits.each) })
  return file.size === 0 ? m.file_fault_empty() : undefined
}

/** These refusals are final for the same file; network and server failures may pass. */
const isFinal = (status: number) => status >= 400 && status < 500 && status !== 429

const ofKept = (file: Attached): Upload => ({
  key: `file-${file.id}`,
  name: file.filename,
  size: file.size,
  state: { kind: 'done', file },
})

let last = 0

function newUpload(file: File, hasRoom: boolean): Upload {
  last += 1
  const fault = faultOf(file, hasRoom)
  const state: State =
    fault === undefined ? { kind: 'sending', share: 0 } : { kind: 'failed', why: fault, final: true }
  return { key: `new-${last}`, name: file.name, size: file.size, state }
}

type Say = (key: string, state: State) => void

async function sendTo(say: Say, key: string, { file, stop }: Source): Promise<void> {
  try {
    const row = await upload(file, (share) => say(key, { kind: 'sending', share }), stop.signal)
    const { id, filename, size: bytes, expires_at } = row
    say(key, { kind: 'done', file: { id, filename, size: bytes, expires_at } })
  } catch (error) {
    if (stop.signal.aborted) return
    const failure = asFailure(error)
    say(key, { kind: 'failed', why: inWords(failure), final: isFinal(failure.status) })
  }
}

/** Uploads files, and keeps them for a retry. */
function useSending(say: Say) {
  const sources = useRef(new Map<string, Source>())
  // Leaving the page cancels pending uploads.
  useEffect(
    () => () => {
      for (const { stop } of sources.current.values()) stop.abort()
    },
    [],
  )
  const start = (key: string, file: File) => {
    const source = { file, stop: new AbortController() }
    sources.current.set(key, source)
    void sendTo(say, key, source)
  }
  const retry = (key: string) => {
    const file = sources.current.get(key)?.file
    if (!file) return
    say(key, { kind: 'sending', share: 0 })
    start(key, file)
  }
  const stop = (key: string) => {
    sources.current.get(key)?.stop.abort()
    sources.current.delete(key)
  }
  return { start, retry, stop }
}

/** The uploads of a text that is being written; `kept` are files of an earlier draft. */
export function useUploads(kept: readonly Attached[]) {
  const [all, setAll] = useState<readonly Upload[]>(() => kept.map(ofKept))
  const { start, retry, stop } = useSending((key, state) =>
    setAll((uploads) => uploads.map((one) => (one.key === key ? { ...one, state } : one))),
  )
  const add = (chosen: readonly File[]) => {
    const room = Math.max(0, fileLimits.filesPerMessage - all.length)
    const added = chosen.map((file, at) => ({ file, one: newUpload(file, at < room) }))
    setAll((uploads) => [...uploads, ...added.map(({ one }) => one)])
    for (const { file, one } of added) if (one.state.kind === 'sending') start(one.key, file)
  }
  const remove = ({ key, state }: Upload) => {
    stop(key)
    setAll((uploads) => uploads.filter((one) => one.key !== key))
    // The server deletes unattached files after a day; this frees the space at once.
    if (state.kind === 'done')
      void http(`${base}/ticket-files/${state.file.id}`, { method: 'DELETE' }).catch(() => undefined)
  }
  // A stable list until a file changes, so that callers store it only then.
  const files = useMemo(() => all.flatMap(({ state }) => (state.kind === 'done' ? [state.file] : [])), [all])
  return {
    all,
    /** The files that can be attached. */
    files,
    isSending: all.some(({ state }) => state.kind === 'sending'),
    add,
    retry,
    remove,
    /** The files belong to the message that was sent. */
    clear: () => setAll([]),
  }
}

export type Uploads = ReturnType<typeof useUploads>
