import { Button } from '@mantine/core'
import * as addresses from '@portico/contract/calls/account/addresses.ts'
import { secondFactorCode } from '@portico/contract/calls/credentials.ts'
import { Suspense } from 'react'
import * as z from 'zod/mini'
import { useCall } from '../../../api/write.ts'
import { CodeField } from '../../../components/code-field.tsx'
import { Refusal } from '../../../components/form-foot/form-foot.tsx'
import { SubmitButton } from '../../../components/form-foot/submit-button.tsx'
import { useSavingForm } from '../../../components/forms/saving-form.ts'
import { m } from '../../../texts/compiled/messages.js'
import { CopyButton } from '../../../ui/copy/copy-button.tsx'
import { lazily } from '../../../ui/loading/lazily.ts'
import { SectionBody, SectionFoot } from '../../../ui/section.tsx'
import classes from '../manage-account.module.css'

const Qr = lazily(async () => (await import('../../../ui/qr.tsx')).Qr)

const schema = z.object({ code: secondFactorCode })

/** Groups the secret by four for reading aloud. */
const inGroups = (secret: string) => secret.match(/.{1,4}/g)?.join(' ') ?? secret

type Props = {
  setup: { secret: string; otpauth_url: string }
  onDone: (recoveryCodes: readonly string[]) => void
  onCancel: () => void
}

/**
 * The secret for an authenticator app, to scan or type, and the first code, which turns two-factor sign-in
 * on.
 */
export function TwoFactorSetup({ setup: { secret, otpauth_url }, onDone, onCancel }: Props) {
  const enable = useCall(addresses.twoFactorEnable)
  const form = useSavingForm({
    initial: { code: '' },
    schema,
    save: async (values) => onDone((await enable.mutateAsync(values)).recovery_codes),
  })
  return (
    <form {...form.formProps}>
      <SectionBody>
        <ol className={classes.steps}>
          <li>
            <p>{m.two_factor_scan()}</p>
            <div className={classes.qr}>
              <Suspense fallback={<span className="bone" style={{ width: 200, height: 200 }} />}>
                <Qr text={otpauth_url} label={m.two_factor_qr()} />
              </Suspense>
              <div>
                <p className="quiet">{m.two_factor_secret()}</p>
                <p>
                  <code className={classes.secret}>{inGroups(secret)}</code>
                </p>
                <CopyButton value={secret} label={m.copy()} done={m.copied()} />
              </div>
            </div>
          </li>
          <li>
            <p>{m.two_factor_enter()}</p>
            <CodeField digits label={m.code_label()} {...form.field('code')} />
          </li>
        </ol>
      </SectionBody>
      <SectionFoot note={<Refusal>{form.refusal}</Refusal>}>
        <Button variant="default" onClick={onCancel}>
          {m.cancel()}
        </Button>
        <SubmitButton loading={form.isSaving}>{m.two_factor_turn_on()}</SubmitButton>
      </SectionFoot>
    </form>
  )
}
