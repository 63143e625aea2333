import { Button } from '@mantine/core'
import * as addresses from '@portico/contract/calls/account/addresses.ts'
import { type ComponentProps, Suspense, useState } from 'react'
import { inWords } from '../../../api/refusal-words.ts'
import { useCall } from '../../../api/write.ts'
import { Refusal } from '../../../components/form-foot/form-foot.tsx'
import { RowBones } from '../../../components/loaded.tsx'
import { draftOf, dropDraft, keepDraft, useIsUnsaved } from '../../../stores/form-drafts.ts'
import { toast } from '../../../stores/toast.ts'
import { m } from '../../../texts/compiled/messages.js'
import { lazily } from '../../../ui/loading/lazily.ts'
import { focusSection, SectionBody, SectionFoot } from '../../../ui/section.tsx'
import type { Security } from '../security-data.ts'
import type { TwoFactorSetup as SetupForm } from './two-factor-setup.tsx'

const RecoveryCodes = lazily(async () => (await import('./recovery-codes.tsx')).RecoveryCodes)
const TwoFactorDialog = lazily(async () => (await import('./two-factor-dialog.tsx')).TwoFactorDialog)
const TwoFactorOn = lazily(async () => (await import('./two-factor-on.tsx')).TwoFactorOn)
const TwoFactorSetup = lazily(async () => (await import('./two-factor-setup.tsx')).TwoFactorSetup)

type Setup = ComponentProps<typeof SetupForm>['setup']
type State = { kind: 'rest' } | { kind: 'setup'; setup: Setup } | { kind: 'renew' } | { kind: 'disable' }

const rest: State = { kind: 'rest' }

// Recovery codes are shown once: until the person confirms that they are saved, leaving asks first and a
// change of language keeps them.
const draft = 'recovery-codes'

function useFreshCodes(): [readonly string[] | undefined, (codes: readonly string[]) => void] {
  const areUnsaved = useIsUnsaved(draft)
  // Only recovery codes are kept under this name.
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

/** Two-factor sign-in: set up, recovery codes, and turned off. */
export function TwoFactorBody({ security }: { security: Security }) {
  const { enabled, recovery_codes_left } = security.two_factor
  const [state, setState] = useState<State>(rest)
  const [codes, showCodes] = useFreshCodes()
  const to = (next: State) => {
    setState(next)
    focusSection('two-factor')
  }
  const toRest = () => to(rest)
  const keep = () => {
    dropDraft(draft)
    focusSection('two-factor')
  }
  if (codes)
    return (
      <Suspense fallback={<RowBones rows={4} />}>
        <RecoveryCodes codes={codes} onKept={keep} />
      </Suspense>
    )
  if (state.kind === 'setup') {
    const done = (fresh: readonly string[]) => {
      toRest()
      showCodes(fresh)
      toast(m.two_factor_on_done())
    }
    return (
      <Suspense fallback={<RowBones rows={2} />}>
        <TwoFactorSetup setup={state.setup} onDone={done} onCancel={toRest} />
      </Suspense>
    )
  }
  return (
    <>
      <SectionBody>
        <p>{enabled ? m.two_factor_on_text() : m.two_factor_off_text()}</p>
      </SectionBody>
      {enabled ? (
        <Suspense>
          <TwoFactorOn left={recovery_codes_left} onChoose={(kind) => setState({ kind })} />
        </Suspense>
      ) : (
        <Off onSetup={(setup) => to({ kind: 'setup', setup })} />
      )}
      <Suspense>
        {(state.kind === 'renew' || state.kind === 'disable') && (
          <TwoFactorDialog asked={state.kind} onCodes={showCodes} onClose={() => setState(rest)} />
        )}
      </Suspense>
    </>
  )
}
