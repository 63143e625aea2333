import { Button, Checkbox, Group } from '@mantine/core'
import { useState } from 'react'
import '../../../ui/styles/checkbox.ts'
import { inWords } from '../../../api/refusal-words.ts'
import type { Row } from '../../../api/rows.ts'
import { useAction } from '../../../api/write.ts'
import { ConfirmDialog } from '../../../components/dialogs/confirm.tsx'
import { toast } from '../../../stores/toast.ts'
import { m } from '../../../texts/compiled/messages.js'

type Server = Row<'servers'>
type Verb = Server['power'][number]

const verbs: Record<Verb, () => string> = {
  start: m.power_start,
  stop: m.power_stop,
  restart: m.power_restart,
}
const done: Record<Verb, (of: { name: string }) => string> = {
  start: m.power_done_start,
  stop: m.power_done_stop,
  restart: m.power_done_restart,
}

/** One request: a press that is repeated because it got no answer has the same id, so that it is done once. */
type Request = { readonly action: Verb; readonly request_id: string; readonly force?: boolean }

function usePower({ id, name }: Server, onDone: () => void) {
  const power = useAction('servers', 'power')
  const ask = (payload: Request) =>
    power.mutate(
      { id, payload },
      {
        onSuccess: ({ state }) => {
          onDone()
          if (state === 'done') toast(done[payload.action]({ name }))
          else toast(verbs[payload.action](), m.power_waiting())
        },
      },
    )
  return { ...power, ask }
}

type AskProps = { server: Server; request: Request; onClose: () => void }

/** Asks before what interrupts people. */
function AskFirst({ server, request, onClose }: AskProps) {
  const power = usePower(server, onClose)
  // Kept with its id: an engine answers a repeated request as the first, whether it was forced or not.
  const [forced, force] = useState<string>()
  const { name } = server
  const stops = request.action === 'stop'
  return (
    <ConfirmDialog
      title={stops ? m.power_stop_title({ name }) : m.power_restart_title({ name })}
      text={stops ? m.power_stop_text() : m.power_restart_text()}
      verb={power.error ? m.power_again() : verbs[request.action]()}
      danger={stops}
      action={power}
      onConfirm={() => power.ask(forced ? { ...request, request_id: forced, force: true } : request)}
      onClose={onClose}
    >
      <Checkbox
        mt={16}
        label={m.power_force()}
        description={m.power_force_text()}
        checked={forced !== undefined}
        disabled={power.isPending}
        onChange={(event) => force(event.currentTarget.checked ? crypto.randomUUID() : undefined)}
      />
    </ConfirmDialog>
  )
}

/** Starts a server at once; nothing stops by it. */
function Start({ server }: { server: Server }) {
  const [request_id, renew] = useState(() => crypto.randomUUID())
  const power = usePower(server, () => renew(crypto.randomUUID()))
  return (
    <>
      <Button loading={power.isPending} onClick={() => power.ask({ action: 'start', request_id })}>
        {power.error ? m.power_again() : m.power_start()}
      </Button>
      {power.error && (
        <div role="alert" style={{ color: 'var(--bad)' }}>
          {inWords(power.error)}
        </div>
      )}
    </>
  )
}

/** The buttons for the power of a server, for those who may press them. An older replica knows none. */
export function ServerPower({ server }: { server: Server }) {
  const [request, setRequest] = useState<Request>()
  const { power = [] }: Partial<Server> = server
  if (power.length === 0 || server.may.power !== true) return null
  const begin = (action: Verb) => setRequest({ action, request_id: crypto.randomUUID() })
  return (
    <Group gap={8} mb={16} role="group" aria-label={m.power_verbs({ name: server.name })}>
      {power.includes('start') && <Start server={server} />}
      {power.includes('restart') && (
        <Button variant="default" onClick={() => begin('restart')}>
          {m.power_restart()}
        </Button>
      )}
      {power.includes('stop') && (
        <Button variant="default" onClick={() => begin('stop')}>
          {m.power_stop()}
        </Button>
      )}
      {request && <AskFirst server={server} request={request} onClose={() => setRequest(undefined)} />}
    </Group>
  )
}
