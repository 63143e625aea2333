import { NativeSelect } from '@mantine/core'
import { useUser } from '../../../api/queries/user.ts'
import { useAction } from '../../../api/write.ts'
import { FormFoot } from '../../../components/form-foot/form-foot.tsx'
import { useSavingForm } from '../../../components/forms/saving-form.ts'
import { nameOf } from '../../../components/money/currency-name.ts'
import { toast } from '../../../stores/toast.ts'
import { m } from '../../../texts/compiled/messages.js'
import { SectionBody } from '../../../ui/section.tsx'

/** The choice of a currency, for accounts that may still change it. */
export function CurrencyForm({ currency, offered }: { currency: string; offered: readonly string[] }) {
  const { id } = useUser()
  const change = useAction('clients', 'changeCurrency')
  const form = useSavingForm({
    name: 'currency',
    initial: { currency },
    schema: async () => (await import('../rules.ts')).currency,
    save: async (payload) => {
      await change.mutateAsync({ id, payload })
      toast(m.currency_saved())
    },
  })
  return (
    <form {...form.formProps}>
      <SectionBody>
        <NativeSelect label={m.currency_label()} description={m.currency_until()} {...form.field('currency')}>
          {[...new Set([...offered, currency])].map((code) => (
            <option key={code} value={code}>
              {nameOf(code)}
            </option>
          ))}
        </NativeSelect>
      </SectionBody>
      <FormFoot form={form} />
    </form>
  )
}
