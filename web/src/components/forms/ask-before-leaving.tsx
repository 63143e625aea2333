import { useBlocker } from '@tanstack/react-router'
import { Suspense } from 'react'
import { dropFormDrafts, useHasUnsaved } from '../../stores/form-drafts.ts'
import { m } from '../../texts/compiled/messages.js'
import { lazily } from '../../ui/loading/lazily.ts'

const ConfirmDialog = lazily(async () => (await import('../dialogs/confirm.tsx')).ConfirmDialog)

/** Asks for confirmation before a page with unsaved changes is left. One for each page that has forms. */
export function AskBeforeLeaving() {
  const hasUnsaved = useHasUnsaved()
  const { status, proceed, reset } = useBlocker({
    // Another anchor or view of the same page keeps the forms.
    shouldBlockFn: ({ current, next }) => hasUnsaved && current.pathname !== next.pathname,
    enableBeforeUnload: hasUnsaved,
    withResolver: true,
  })
  if (status !== 'blocked') return null
  const leave = () => {
    dropFormDrafts()
    proceed()
  }
  return (
    <Suspense>
      <ConfirmDialog
        title={m.leave_title()}
        text={m.leave_text()}
        verb={m.leave()}
        cancel={m.leave_not()}
        onConfirm={leave}
        onClose={reset}
      />
    </Suspense>
  )
}
