import { Button } from '@mantine/core'
import * as addresses from '@portico/contract/calls/addresses.ts'
import { type ComponentProps, useState } from 'react'
import { useCall } from '../../api/write.ts'
import { Refusal } from '../../components/forms/form-foot.tsx'
import { inWords } from '../../components/forms/refusal.ts'
import { toast } from '../../stores/toast.ts'
import { draftOf, dropDraft, keepDraft, useIsUnsaved } from '../../stores/unsaved.ts'
import { m } from '../../texts/compiled/messages.js'
import { focusSection, SectionBody, SectionFoot } from '../../ui/section.tsx'
import { CodeDialog } from './code-dialog.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import type { Security } from './security-data.ts'
import { TwoFactorSetup } from './two-factor-setup.tsx'

type Setup = ComponentProps<typeof TwoFactorSetup>['setup']
type State = { kind: 'rest' } | { kind: 'setup'; setup: Setup } | { kind: 'renew' } | { kind: 'disable' }

const rest: State = { kind: 'rest' }

// Codes that are shown this once are not saved until somebody says so: leaving asks, another language keeps them.
const draft = 'recovery-codes'

function useFreshCodes(): [readonly string[] | undefined, (codes: readonly string[]) => void] {
  const areUnsaved = useIsUnsaved(draft)
  // Only codes are kept under this name.
  const codes = areUnsaved ? (draftOf(draft) as readonly string[]) : undefined
  return [codes, (fresh) => keepDraft(draft, fresh)]
}

function Off({ onSetup }: { onSetup: (setup: Setup) => void }) {
  const start = useCall(addresses.twoFactorSetup)
  return (
    <SectionFoot note={start.error ? <Refusal>{inWords(start.error)}</Refusal> : m.two_factor_needs_app()}>
      <Button loading={start.isPending} onClick={() => start.mutate({}, { onSuccess: onSetup })}>
        {m.two_factor_set_up()}
      </Button>
    </SectionFoot>
  )
}

function On({ left, onChoose }: { left: number; onChoose: (state: State) => void }) {
  return (
    <SectionFoot note={m.recovery_codes_left({ count: left })}>
      <Button variant="default" onClick={() => onChoose({ kind: 'renew' })}>
        {m.recovery_codes_renew()}
      </Button>
      <Button variant="default" onClick={() => onChoose({ kind: 'disable' })}>
        {m.two_factor_turn_off()}
      </Button>
    </SectionFoot>
  )
}

/** A second step at sign-in: set up, its recovery codes, and turned off again. */
export function TwoFactorBody({ security }: { security: Security }) {
  const { enabled, recovery_codes_left } = security.two_factor
  const [state, setState] = useState<State>(rest)
  const [codes, showCodes] = useFreshCodes()
  const renew = useCall(addresses.recoveryCodes)
  const disable = useCall(addresses.twoFactorDisable)
  const to = (next: State) => {
    setState(next)
    focusSection('two-factor')
  }
  const toRest = () => to(rest)
  const keep = () => {
    dropDraft(draft)
    focusSection('two-factor')
  }
  if (codes) return <RecoveryCodes codes={codes} onKept={keep} />
  if (state.kind === 'setup') {
    const done = (fresh: readonly string[]) => {
      toRest()
      showCodes(fresh)
      toast(m.two_factor_on_done())
    }
    return <TwoFactorSetup setup={state.setup} onDone={done} onCancel={toRest} />
  }
  return (
    <>
      <SectionBody>
        <p>{enabled ? m.two_factor_on_text() : m.two_factor_off_text()}</p>
      </SectionBody>
      {enabled ? (
        <On left={recovery_codes_left} onChoose={setState} />
      ) : (
        <Off onSetup={(setup) => to({ kind: 'setup', setup })} />
      )}
      {state.kind === 'renew' && (
        <CodeDialog
          title={m.recovery_codes_renew()}
          text={m.recovery_codes_renew_text()}
          verb={m.recovery_codes_renew()}
          onClose={() => setState(rest)}
          submit={async (code) => {
            const { recovery_codes } = await renew.mutateAsync({ code })
            showCodes(recovery_codes)
          }}
        />
      )}
      {state.kind === 'disable' && (
        <CodeDialog
          danger
          title={m.two_factor_turn_off()}
          text={m.two_factor_turn_off_text()}
          verb={m.two_factor_turn_off()}
          onClose={() => setState(rest)}
          submit={async (code) => {
            await disable.mutateAsync({ code })
            toast(m.two_factor_off_done())
          }}
        />
      )}
    </>
  )
}
