import type { GetInputPropsReturnType } from '@mantine/form'
import { FormFoot } from '../../components/form-foot/form-foot.tsx'
import { m } from '../../texts/compiled/messages.js'
import { SectionBody } from '../../ui/section.tsx'
import { TextArea } from '../../ui/text-area.tsx'

type Props = {
  form: {
    isUnsaved: boolean
    isSaving: boolean
    refusal: string | undefined
    discard: () => void
    field: (name: 'reason') => GetInputPropsReturnType
  }
}

/** The end of a form whose save is an action of staff: it asks for the reason as soon as there is something to save. */
export function ReasonFoot({ form }: Props) {
  return (
    <>
      {form.isUnsaved && (
        <SectionBody>
          <TextArea
            label={m.desk_verb_reason()}
            description={m.desk_verb_reason_hint()}
            required
            rows={2}
            maxLength={300}
            {...form.field('reason')}
          />
        </SectionBody>
      )}
      <FormFoot form={form} />
    </>
  )
}
