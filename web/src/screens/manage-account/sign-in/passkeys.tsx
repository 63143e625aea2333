import { Button } from '@mantine/core'
import { Suspense, useState } from 'react'
import { canUsePasskeys } from '../../../components/sign-in/can-use-passkeys.ts'
import { When } from '../../../components/when.tsx'
import { m } from '../../../texts/compiled/messages.js'
import { lazily } from '../../../ui/loading/lazily.ts'
import { IconKey } from '../../../ui/more-icons.tsx'
import { SectionBody, SectionFoot, SectionList, SectionRow } from '../../../ui/section.tsx'
import type { Passkey } from '../security-data.ts'
import type { Asked } from './passkey-dialogs.tsx'

const PasskeyDialog = lazily(async () => (await import('./passkey-dialogs.tsx')).PasskeyDialog)

function PasskeyRow({ passkey, onAsk }: { passkey: Passkey; onAsk: (asked: Asked) => void }) {
  const { name, synced, created_at, last_used_at } = passkey
  return (
    <SectionRow
      icon={<IconKey size={18} />}
      title={name}
      text={
        <>
          {synced ? m.passkey_synced() : m.passkey_here()}
          {' · '}
          {m.added()} <When moment={created_at} />
          {' · '}
          {last_used_at ? (
            <>
              {m.last_used()} <When moment={last_used_at} />
            </>
          ) : (
            m.never_used()
          )}
        </>
      }
    >
      <Button
        size="xs"
        variant="default"
        aria-label={m.rename_one({ name })}
        onClick={() => onAsk({ kind: 'rename', passkey })}
      >
        {m.rename()}
      </Button>
      <Button
        size="xs"
        variant="default"
        aria-label={m.remove_one({ name })}
        onClick={() => onAsk({ kind: 'remove', passkey })}
      >
        {m.remove()}
      </Button>
    </SectionRow>
  )
}

/** The person's passkeys, where the browser supports them. */
export function PasskeysBody({ passkeys }: { passkeys: readonly Passkey[] }) {
  const [asked, setAsked] = useState<Asked>()
  const isAble = canUsePasskeys()
  return (
    <>
      {passkeys.length > 0 ? (
        <SectionList label={m.account_passkeys()}>
          {passkeys.map((passkey) => (
            <PasskeyRow key={passkey.id} passkey={passkey} onAsk={setAsked} />
          ))}
        </SectionList>
      ) : (
        <SectionBody>
          <p>{m.passkeys_none()}</p>
        </SectionBody>
      )}
      <SectionFoot note={isAble ? undefined : <span id="no-passkeys">{m.passkeys_unable()}</span>}>
        <Button
          variant="default"
          disabled={!isAble}
          aria-describedby={isAble ? undefined : 'no-passkeys'}
          onClick={() => setAsked({ kind: 'add' })}
        >
          {m.passkey_add()}
        </Button>
      </SectionFoot>
      <Suspense>{asked && <PasskeyDialog asked={asked} onClose={() => setAsked(undefined)} />}</Suspense>
    </>
  )
}
