import { Button, Group } from '@mantine/core'
import { secondFactorCode } from '@portico/contract/calls/credentials.ts'
import * as z from 'zod/mini'
import { CodeField } from '../../../components/code-field.tsx'
import { Refusal } from '../../../components/form-foot/form-foot.tsx'
import { SubmitButton } from '../../../components/form-foot/submit-button.tsx'
import { useSavingForm } from '../../../components/forms/saving-form.ts'
import { m } from '../../../texts/compiled/messages.js'
import { useFocusBack } from '../../../ui/modal/focus-back.ts'
import { Modal } from '../../../ui/modal/modal.tsx'

const schema = z.object({ code: secondFactorCode })

type Props = {
  title: string
  text: string
  verb: string
  danger?: boolean
  submit: (code: string) => Promise<void>
  onClose: () => void
}

/** Asks for a code of the app or a recovery code before a change that weakens two-factor sign-in. */
export function CodeDialog({ title, text, verb, danger = false, submit, onClose }: Props) {
  useFocusBack()
  const form = useSavingForm({
    initial: { code: '' },
    schema,
    save: async ({ code }) => {
      await submit(code)
      onClose()
    },
  })
  return (
    <Modal
      opened
      onClose={onClose}
      closeOnEscape={!form.isSaving}
      title={title}
      closeButtonProps={{ 'aria-label': m.close() }}
    >
      <form {...form.formProps}>
        <p style={{ marginBottom: 16 }}>{text}</p>
        <CodeField label={m.code()} description={m.code_or_recovery()} {...form.field('code')} />
        <Refusal>{form.refusal}</Refusal>
        <Group justify="flex-end" mt={24} gap={8}>
          <Button variant="default" onClick={onClose}>
            {m.cancel()}
          </Button>
          <SubmitButton {...(danger && { color: 'red.8' })} loading={form.isSaving}>
            {verb}
          </SubmitButton>
        </Group>
      </form>
    </Modal>
  )
}
