import { Button } from '@mantine/core'
import { useId } from 'react'
import type { Panel } from '../../api/workspaces.ts'
import { useAction } from '../../api/write.ts'
import { openOverlay } from '../../stores/overlay.ts'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { chunk } from '../../ui/chunk.ts'

/** Says why a panel could not be opened; the words for what servers say come when there is something to say. */
async function tell(name: string, { message }: Error): Promise<void> {
  const { faultInWords } = await chunk(() => import('../../texts/faults.ts'))
  toast(m.connect_failed({ name }), faultInWords(message), 'bad')
}

/** Why a panel cannot be entered now; undefined when it can. */
function whyNot({ status, failed_step }: Panel): string | undefined {
  switch (status) {
    case 'active':
    case 'degraded':
      return undefined
    case 'provisioning':
      return m.connect_when_ready()
    case 'suspended':
      return m.connect_while_suspended()
    case 'deleting':
    case 'deleted':
      return m.connect_while_deleting()
    case 'error':
      if (failed_step === 'provision') return m.panel_failed_provision()
      return failed_step === 'delete' ? m.panel_failed_delete() : m.panel_failed_engine()
  }
}

/** Opens a panel in a tab of its own, which is made in the click itself: one that comes later is blocked as a pop-up. */
function useConnect({ id, name }: Panel) {
  const connect = useAction('panels', 'connect')
  const open = () => {
    const tab = window.open('', '_blank')
    if (!tab) return toast(m.connect_blocked(), m.connect_blocked_text(), 'bad')
    // The page of the engine gets no hold on this one.
    tab.opener = null
    tab.document.title = m.connect_opening({ name })
    connect.mutate(
      { id, payload: {} },
      {
        onSuccess: ({ url }) => tab.location.replace(url),
        onError: (error) => {
          tab.close()
          void tell(name, error)
        },
      },
    )
  }
  return { open, isPending: connect.isPending }
}

/** Asks again for what could not be done with a panel that is in error. */
function useRetry({ id, name, failed_step }: Panel) {
  const provision = useAction('panels', 'retryProvision')
  const sync = useAction('panels', 'sync')
  const said = (text: string) => ({
    onSuccess: () => toast(text),
    onError: (error: Error) => void tell(name, error),
  })
  const retry = () => {
    if (failed_step === 'delete') openOverlay({ kind: 'delete-panel', id, name })
    else if (failed_step === 'provision') provision.mutate({ id, payload: {} }, said(m.panel_added({ name })))
    else sync.mutate({ id, payload: {} }, said(m.panel_looked_at({ name })))
  }
  return { retry, isPending: provision.isPending || sync.isPending }
}

/** The verb that a failed step is retried by, as the server names it. */
const retriedBy = { provision: 'retryProvision', delete: 'delete' } as const

type Look = { readonly size: 'xs' | 'sm' }

function RetryButton({ panel, size, why }: { panel: Panel; why: string } & Look) {
  const { retry, isPending } = useRetry(panel)
  const verb = panel.failed_step === null ? 'sync' : retriedBy[panel.failed_step]
  return (
    <Button
      size={size}
      variant="default"
      disabled={panel.may[verb] === false}
      loading={isPending}
      aria-describedby={why}
      onClick={retry}
    >
      {m.retry()}
    </Button>
  )
}

/** The way into a panel: Connect, or Retry where there is nothing to connect to; and beside it why not. */
export function Connect({ panel, size }: { panel: Panel } & Look) {
  const { open, isPending } = useConnect(panel)
  const why = useId()
  const reason = whyNot(panel) ?? panel.denied.connect
  return (
    <>
      {panel.status === 'error' ? (
        <RetryButton panel={panel} size={size} why={why} />
      ) : (
        <Button
          size={size}
          variant="default"
          disabled={reason !== undefined || panel.may.connect === false}
          loading={isPending}
          aria-label={m.connect_to({ name: panel.name })}
          aria-describedby={reason && why}
          onClick={open}
        >
          {m.connect()}
        </Button>
      )}
      {reason && <small id={why}>{reason}</small>}
    </>
  )
}
