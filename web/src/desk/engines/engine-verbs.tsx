import { Button, Group } from '@mantine/core'
import { useState } from 'react'
import { inWords } from '../../api/refusal-words.ts'
import { useAction } from '../../api/write.ts'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { because, VerbDialog } from '../verbs/verb-dialog.tsx'
import { EditEngine } from './edit-engine.tsx'
import { Rejections } from './rejections.tsx'
import { EngineSecret } from './secret.tsx'
import { type Found, TakeOver } from './take-over.tsx'
import type { Engine } from './words.ts'

const words = {
  makeDefault: { label: m.desk_engines_made_default, text: m.desk_engines_made_default_text },
  finish: { label: m.desk_engines_finish, text: m.desk_engines_finish_text },
  disable: { label: m.desk_engines_disable, text: m.desk_engines_disable_text },
  enable: { label: m.desk_engines_enable, text: m.desk_engines_enable_text },
} as const

type Plain = keyof typeof words
const isPlain = (name: string | undefined): name is Plain => name !== undefined && name in words

type Of<N> = { engine: Engine; name: N; onClose: () => void }

function PlainDialog({ engine, name, onClose }: Of<Plain>) {
  const action = useAction('desk-engines', name)
  const { label, text } = words[name]
  const done = () => {
    onClose()
    toast(m.desk_engines_done())
  }
  return (
    <VerbDialog
      title={`${label()}: ${engine.name}`}
      text={text()}
      verb={label()}
      danger={name === 'disable' || name === 'finish'}
      action={action}
      onConfirm={(reason) =>
        action.mutate({ id: engine.id, payload: {}, headers: because(reason) }, { onSuccess: done })
      }
      onClose={onClose}
    />
  )
}

function Rotate({ engine, onClose }: Omit<Of<'rotate'>, 'name'>) {
  const action = useAction('desk-engines', 'rotate')
  if (action.data) return <EngineSecret given={action.data} onClose={onClose} />
  return (
    <VerbDialog
      title={`${m.desk_engines_rotate()}: ${engine.name}`}
      text={m.desk_engines_rotate_text()}
      verb={m.desk_engines_rotate()}
      action={action}
      onConfirm={(reason) => action.mutate({ id: engine.id, payload: {}, headers: because(reason) })}
      onClose={onClose}
    />
  )
}

/** The verbs that fit the state of an engine. */
const fitting = ({ state, is_default, secrets }: Engine): Plain[] =>
  state === 'disabled'
    ? ['enable']
    : [
        ...(is_default ? [] : ['makeDefault' as const]),
        ...(secrets > 1 ? ['finish' as const] : []),
        'disable',
      ]

const plain = { variant: 'default', size: 'xs' } as const

/** Asks an engine for the accounts that it has from before the portal, and shows them. */
function AccountsButton({ engine }: { engine: Engine }) {
  const asking = useAction('desk-engines', 'accounts')
  const [found, setFound] = useState<Found>()
  const ask = () =>
    asking.mutate(
      { id: engine.id, payload: {}, headers: because(m.desk_accounts_open_reason()) },
      { onSuccess: setFound, onError: (error) => toast(inWords(error), undefined, 'bad') },
    )
  return (
    <>
      <Button {...plain} loading={asking.isPending} onClick={ask}>
        {m.desk_accounts_open()}
      </Button>
      {found && <TakeOver engine={engine} found={found} onClose={() => setFound(undefined)} />}
    </>
  )
}

/** The actions of administrators on an engine. */
export function EngineVerbs({ engine }: { engine: Engine }) {
  const probe = useAction('desk-engines', 'probe')
  const [open, setOpen] = useState<Plain | 'edit' | 'rotate' | 'rejections'>()
  const close = () => setOpen(undefined)
  const isHttp = engine.base_url !== null
  const ask = () =>
    probe.mutate(
      { id: engine.id, payload: {}, headers: because(m.desk_engines_probe_reason()) },
      { onError: (error) => toast(inWords(error), undefined, 'bad') },
    )
  return (
    <Group gap={8}>
      {isHttp && engine.may.probe && engine.state !== 'disabled' && (
        <Button {...plain} loading={probe.isPending} onClick={ask}>
          {m.desk_engines_probe()}
        </Button>
      )}
      {fitting(engine)
        .filter((name) => engine.may[name])
        .map((name) => (
          <Button key={name} {...plain} onClick={() => setOpen(name)}>
            {words[name].label()}
          </Button>
        ))}
      {isHttp && engine.may.edit && (
        <Button {...plain} onClick={() => setOpen('edit')}>
          {m.desk_engines_edit()}
        </Button>
      )}
      {isHttp && engine.may.rotate && engine.secrets < 2 && (
        <Button {...plain} onClick={() => setOpen('rotate')}>
          {m.desk_engines_rotate()}
        </Button>
      )}
      {engine.rejected > 0 && engine.may.rejections && (
        <Button {...plain} onClick={() => setOpen('rejections')}>
          {m.desk_rejected({ events: engine.rejected })}
        </Button>
      )}
      {engine.may.accounts && engine.state !== 'disabled' && <AccountsButton engine={engine} />}
      {open === 'rejections' && <Rejections engine={engine} onClose={close} />}
      {open === 'rotate' && <Rotate engine={engine} onClose={close} />}
      {open === 'edit' && <EditEngine engine={engine} onClose={close} />}
      {isPlain(open) && <PlainDialog engine={engine} name={open} onClose={close} />}
    </Group>
  )
}
