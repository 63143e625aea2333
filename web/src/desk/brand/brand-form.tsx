import { TextInput } from '@mantine/core'
import { brandFields } from '@portico/contract/resources/brands.ts'
import { isColour } from '@portico/contract/rules/brand/accent.ts'
import * as z from 'zod/mini'
import type { Row } from '../../api/rows.ts'
import { useAction } from '../../api/write.ts'
import { filled, orNull } from '../../components/forms/blank.ts'
import { type SavingForm, useSavingForm } from '../../components/forms/saving-form.ts'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { Section, SectionBody } from '../../ui/section.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import classes from '../company/company.module.css'
import { reasonRule } from '../verbs/form-rules.ts'
import { ReasonFoot } from '../verbs/reason-foot.tsx'
import { useShownAsSaved } from '../verbs/shown-as-saved.ts'
import { because } from '../verbs/verb-dialog.tsx'
import { Sample } from './sample.tsx'

// An empty field means the portal as it comes, so the rules are of what is typed; the server checks the colour.
const rules = z.object({
  name: z.string().check(z.trim(), z.maxLength(40)),
  accent: z.string().check(z.trim(), z.toLowerCase()),
  legal_en: filled(brandFields.legal_en),
  legal_ro: filled(brandFields.legal_ro),
  letters_en: filled(brandFields.letters_en),
  letters_ro: filled(brandFields.letters_ro),
  reason: reasonRule,
})

type Values = z.output<typeof rules>

const valuesOf = (brand: Row<'brands'>): Values => ({
  name: brand.name ?? '',
  accent: brand.accent ?? '',
  legal_en: brand.legal_en ?? '',
  legal_ro: brand.legal_ro ?? '',
  letters_en: brand.letters_en ?? '',
  letters_ro: brand.letters_ro ?? '',
  reason: brand.updatedAt === brand.createdAt ? m.desk_verb_reason_first() : '',
})

function Footers({ form: { field } }: { form: SavingForm<Values> }) {
  return (
    <>
      <div className={classes.pair}>
        <TextArea
          label={m.desk_brand_legal_en()}
          description={m.desk_brand_legal_hint()}
          rows={3}
          {...field('legal_en')}
        />
        <TextArea label={m.desk_brand_legal_ro()} rows={3} {...field('legal_ro')} />
      </div>
      <div className={classes.pair}>
        <TextArea
          label={m.desk_brand_letters_en()}
          description={m.desk_brand_letters_hint()}
          rows={3}
          {...field('letters_en')}
        />
        <TextArea label={m.desk_brand_letters_ro()} rows={3} {...field('letters_ro')} />
      </div>
    </>
  )
}

/** Name, colour and footers, which administrators set. */
export function BrandForm({ brand }: { brand: Row<'brands'> }) {
  const action = useAction('brands', 'save')
  const initial = valuesOf(brand)
  const form = useSavingForm<Values>({
    name: 'desk-brand',
    initial,
    schema: rules,
    save: async ({ reason, ...values }) => {
      const payload = {
        name: orNull(values.name),
        accent: orNull(values.accent),
        legal_en: orNull(values.legal_en),
        legal_ro: orNull(values.legal_ro),
        letters_en: orNull(values.letters_en),
        letters_ro: orNull(values.letters_ro),
      }
      await action.mutateAsync({ payload, headers: because(reason) })
      toast(m.desk_brand_saved())
    },
  })
  useShownAsSaved(form, initial, brand.updatedAt)
  const accent = form.form.values.accent.trim().toLowerCase()
  return (
    <form {...form.formProps}>
      <Section id="brand" title={m.desk_brand_texts()}>
        <SectionBody>
          <TextInput
            label={m.desk_brand_name()}
            description={m.desk_brand_name_hint()}
            maxLength={40}
            {...form.field('name')}
          />
          <TextInput
            label={m.desk_brand_accent()}
            description={m.desk_brand_accent_hint()}
            placeholder="#3f53c8"
            maxLength={7}
            spellCheck={false}
            {...form.field('accent')}
          />
          {isColour(accent) && <Sample accent={accent} />}
          <Footers form={form} />
        </SectionBody>
        <ReasonFoot form={form} />
      </Section>
    </form>
  )
}
