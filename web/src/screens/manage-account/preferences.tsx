import { Input, SegmentedControl, useMantineColorScheme } from '@mantine/core'
import { useChooseLanguage } from '../../components/person.ts'
import { languageNames, languages, useLanguage } from '../../stores/language.ts'
import { m } from '../../texts/compiled/messages.js'
import '../../ui/styles/segmented.ts'
import { Section, SectionBody } from '../../ui/section.tsx'

/** Language and theme: they change at once, so the form has no button. */
export function Preferences() {
  const language = useLanguage()
  const chooseLanguage = useChooseLanguage()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <Section id="preferences" title={m.account_preferences()} lead={m.preferences_lead()}>
      <SectionBody>
        <div>
          <Input.Label component="div" id="language-label">
            {m.language()}
          </Input.Label>
          <SegmentedControl
            fullWidth
            aria-labelledby="language-label"
            value={language}
            data={languages.map((code) => ({
              value: code,
              label: <span lang={code}>{languageNames[code]}</span>,
            }))}
            onChange={chooseLanguage}
          />
        </div>
        <div>
          <Input.Label component="div" id="theme-label">
            {m.theme()}
          </Input.Label>
          <SegmentedControl
            fullWidth
            aria-labelledby="theme-label"
            value={colorScheme}
            data={[
              { value: 'light', label: m.theme_light() },
              { value: 'dark', label: m.theme_dark() },
              { value: 'auto', label: m.theme_system() },
            ]}
            onChange={setColorScheme}
          />
        </div>
      </SectionBody>
    </Section>
  )
}
