import { Button } from '@mantine/core'
import { useId } from 'react'
import type { Panel } from '../../api/queries/workspaces.ts'
import { useAction } from '../../api/write.ts'
import { entranceName, reportConnectFailure, useConnect } from '../../components/panel-connect.ts'
import { Permitted } from '../../components/permitted.tsx'
import { openOverlay } from '../../stores/overlay.ts'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { IconOpen } from '../../ui/icons.tsx'
import classes from './dashboard.module.css'

/** Why a panel cannot be opened now; undefined when it can. */
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

/** Retries the failed step of a panel in error. */
function useRetry({ id, name, failed_step }: Panel) {
  const provision = useAction('panels', 'retryProvision')
  const sync = useAction('panels', 'sync')
  const said = (text: string) => ({
    onSuccess: () => toast(text),
    onError: (error: Error) => void reportConnectFailure(name, error),
  })
  const retry = () => {
    if (failed_step === 'delete') openOverlay({ kind: 'delete-panel', id, name })
    else if (failed_step === 'provision') provision.mutate({ id, payload: {} }, said(m.panel_added({ name })))
    else sync.mutate({ id, payload: {} }, said(m.panel_looked_at({ name })))
  }
  return { retry, isPending: provision.isPending || sync.isPending }
}

/** The verb that retries a failed step, by the server's name for the step. */
const retriedBy = { provision: 'retryProvision', delete: 'delete' } as const

/** The button that retries a failed step, with what failed; nothing for a panel in any other state. */
export function Retry({ panel, size }: { panel: Panel; size: 'xs' | 'sm' }) {
  const { retry, isPending } = useRetry(panel)
  const why = useId()
  if (panel.status !== 'error') return null
  const verb = panel.failed_step === null ? 'sync' : retriedBy[panel.failed_step]
  return (
    <>
      <Permitted of={panel} verb={verb} describedBy={why} onClick={retry}>
        {(given) => (
          <Button size={size} variant="default" loading={isPending} {...given}>
            {m.retry()}
          </Button>
        )}
      </Permitted>
      <small id={why}>{whyNot(panel)}</small>
    </>
  )
}

/** The button into a panel: an icon on a card. A panel in error has nothing to connect to. */
export function Connect({ panel, isIcon = false }: { panel: Panel; isIcon?: boolean }) {
  const { open, isPending } = useConnect()
  if (panel.status === 'error') return null
  const name = entranceName(panel)
  return (
    <Permitted of={panel} verb="connect" unless={whyNot(panel)} onClick={() => open(panel)}>
      {(given) =>
        isIcon ? (
          <button
            type="button"
            className={classes.more}
            aria-label={name}
            aria-busy={isPending}
            title={panel.login_url ? m.connect_sign_in() : m.connect_open()}
            {...given}
          >
            <IconOpen size={18} aria-hidden="true" />
          </button>
        ) : (
          <Button size="sm" variant="default" loading={isPending} aria-label={name} {...given}>
            {m.connect()}
          </Button>
        )
      }
    </Permitted>
  )
}
