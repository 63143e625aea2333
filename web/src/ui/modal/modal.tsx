import type { ModalProps } from '@mantine/core'
import { Suspense } from 'react'
import { lazily } from '../loading/lazily.ts'

const Loaded = lazily(async () => (await import('./modal-loaded.tsx')).LoadedModal)

/** The library's dialog. It weighs 30 KB, so it loads when one is opened. */
export function Modal(props: ModalProps) {
  return (
    <Suspense>
      <Loaded {...props} />
    </Suspense>
  )
}
