import type { ModalProps } from '@mantine/core'
import { Suspense } from 'react'
import { lazily } from '../loading/lazily.ts'

const Loaded = lazily(async () => (await import('./modal-loaded.tsx')).LoadedModal)

/** The library's dialog. It brings 30 KB with it, so it comes when one is opened, and not with every page that has one. */
export function Modal(props: ModalProps) {
  return (
    <Suspense>
      <Loaded {...props} />
    </Suspense>
  )
}
