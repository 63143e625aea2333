import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { list } from '../../api/query.ts'
import { useAction, useDelete } from '../../api/write.ts'
import { ConfirmDialog } from '../../components/dialogs/confirm.tsx'
import { PageHead } from '../../components/layout/page-head.tsx'
import { LoadedList } from '../../components/loaded.tsx'
import { exact } from '../../components/moments.ts'
import { When } from '../../components/when.tsx'
import { apiDocsPath } from '../../paths.ts'
import { language } from '../../stores/language.ts'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { Empty } from '../../ui/empty.tsx'
import { IconPlus } from '../../ui/icons.tsx'
import { IconKey } from '../../ui/more-icons.tsx'
import { SectionList, SectionRow } from '../../ui/section.tsx'
import { Status } from '../../ui/status.tsx'
import classes from './api-keys.module.css'
import { CreateKey } from './create.tsx'
import { EditKey } from './edit.tsx'
import { Secret } from './secret.tsx'
import { type ApiKey, scopesInWords, states } from './words.ts'

const keysQuery = list('api-keys', { include: ['project'], sort: '-createdAt', page: { size: 100 } })

type Dialog =
  | { kind: 'closed' }
  | { kind: 'create' }
  | { kind: 'secret'; name: string; secret: string }
  | { kind: 'edit' | 'revoke' | 'delete'; apiKey: ApiKey }

function LastUsed({ apiKey: { last_used_at, last_used_ip } }: { apiKey: ApiKey }) {
  if (last_used_at === null) return m.key_never_used()
  return (
    <>
      {m.key_last_used()} <When moment={last_used_at} />
      {last_used_ip && ` ${m.key_used_from({ ip: last_used_ip })}`}
    </>
  )
}

function KeyRow({ apiKey, onChoose }: { apiKey: ApiKey; onChoose: (dialog: Dialog) => void }) {
  const { name, prefix, state, allowed_ips, expires_at, project } = apiKey
  const until = expires_at === null ? m.key_no_expiry() : m.key_until({ date: exact(expires_at, language()) })
  return (
    <SectionRow
      icon={<IconKey size={18} />}
      title={
        <span className={classes.name}>
          {name}
          <Status tone={states[state].tone}>{states[state].name()}</Status>
        </span>
      }
      text={
        <>
          <span className={classes.more}>
            <code>{`${prefix}…`}</code>
            {` · ${allowed_ips.join(', ')}`}
          </span>
          <span className={classes.more}>
            {[scopesInWords(apiKey), project && m.key_only_in({ workspace: project.name })]
              .filter(Boolean)
              .join(' · ')}
          </span>
          <span className={classes.more}>
            <LastUsed apiKey={apiKey} />
            {` · ${until}`}
          </span>
        </>
      }
    >
      {state === 'active' && (
        <Button
          size="xs"
          variant="default"
          aria-label={m.key_edit_one({ name })}
          onClick={() => onChoose({ kind: 'edit', apiKey })}
        >
          {m.key_edit_verb()}
        </Button>
      )}
      <Button
        size="xs"
        variant="default"
        aria-label={state === 'active' ? m.key_revoke_one({ name }) : m.remove_one({ name })}
        onClick={() => onChoose({ kind: state === 'active' ? 'revoke' : 'delete', apiKey })}
      >
        {state === 'active' ? m.key_revoke_verb() : m.remove()}
      </Button>
    </SectionRow>
  )
}

type EndProps = { apiKey: ApiKey; onClose: () => void }

function RevokeKey({ apiKey: { id, name }, onClose }: EndProps) {
  const revoke = useAction('api-keys', 'revoke')
  const done = () => {
    toast(m.key_was_revoked({ name }))
    onClose()
  }
  return (
    <ConfirmDialog
      danger
      title={m.key_revoke_title({ name })}
      text={m.key_revoke_text()}
      verb={m.key_revoke_verb()}
      action={revoke}
      onConfirm={() => revoke.mutate({ id, payload: {} }, { onSuccess: done })}
      onClose={onClose}
    />
  )
}

function DeleteKey({ apiKey: { id, name }, onClose }: EndProps) {
  const remove = useDelete('api-keys')
  const done = () => {
    toast(m.key_was_deleted({ name }))
    onClose()
  }
  return (
    <ConfirmDialog
      danger
      title={m.key_delete_title({ name })}
      text={m.key_delete_text()}
      verb={m.remove()}
      action={remove}
      onConfirm={() => remove.mutate({ id }, { onSuccess: done })}
      onClose={onClose}
    />
  )
}

function Dialogs({ dialog, onChange }: { dialog: Dialog; onChange: (dialog: Dialog) => void }) {
  const close = () => onChange({ kind: 'closed' })
  switch (dialog.kind) {
    case 'closed':
      return null
    case 'create':
      return <CreateKey onCreated={(made) => onChange({ kind: 'secret', ...made })} onClose={close} />
    case 'secret':
      return <Secret name={dialog.name} secret={dialog.secret} onClose={close} />
    case 'edit':
      return <EditKey apiKey={dialog.apiKey} onClose={close} />
    case 'revoke':
      return <RevokeKey apiKey={dialog.apiKey} onClose={close} />
    case 'delete':
      return <DeleteKey apiKey={dialog.apiKey} onClose={close} />
  }
}

/** The API keys of the account, which the menu calls "IP address token". */
export default function ApiKeysScreen() {
  const query = useQuery(keysQuery)
  const [dialog, setDialog] = useState<Dialog>({ kind: 'closed' })
  const create = (
    <Button
      leftSection={<IconPlus size={16} aria-hidden="true" />}
      onClick={() => setDialog({ kind: 'create' })}
    >
      {m.key_create()}
    </Button>
  )
  const empty = (
    <Empty icon={<IconKey size={20} />} title={m.key_none_title()} text={m.key_none_text()}>
      {create}
    </Empty>
  )
  return (
    <>
      <PageHead title={m.api_keys_name()} eyebrow={m.api_keys_title()} lead={m.key_lead()}>
        <Button component="a" href={apiDocsPath} target="_blank" rel="noreferrer" variant="default">
          {m.key_docs()}
        </Button>
        {create}
      </PageHead>
      <div className="card">
        <LoadedList query={query} items={query.data?.items} empty={empty}>
          {(keys) => (
            <SectionList label={m.api_keys_name()}>
              {keys.map((apiKey) => (
                <KeyRow key={apiKey.id} apiKey={apiKey} onChoose={setDialog} />
              ))}
            </SectionList>
          )}
        </LoadedList>
      </div>
      <Dialogs dialog={dialog} onChange={setDialog} />
    </>
  )
}
