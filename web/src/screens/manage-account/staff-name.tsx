import { TextInput } from '@mantine/core'
import { useUpdate } from '../../api/write.ts'
import { FormFoot } from '../../components/form-foot/form-foot.tsx'
import { useSavingForm } from '../../components/forms/saving-form.ts'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { Section, SectionBody } from '../../ui/section.tsx'

/** The name of a staff member. */
export function StaffName({ id, name }: { id: number; name: string }) {
  const update = useUpdate('staff-preferences')
  const form = useSavingForm({
    name: 'staff-name',
    initial: { display_name: name },
    schema: async () => (await import('./rules.ts')).staffName,
    save: async (attributes) => {
      await update.mutateAsync({ id, attributes })
      toast(m.personal_saved())
    },
  })
  return (
    <Section id="personal" title={m.account_personal()} lead={m.staff_name_lead()}>
      <form {...form.formProps}>
        <SectionBody>
          <TextInput
            label={m.staff_name()}
            autoComplete="nickname"
            required
            {...form.field('display_name')}
          />
        </SectionBody>
        <FormFoot form={form} />
      </form>
    </Section>
  )
}
