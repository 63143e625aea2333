import { Button } from '@mantine/core'
import { m } from '../../texts/compiled/messages.js'
import { Section, SectionList, SectionRow } from '../../ui/section.tsx'

/** The sandbox's test cards and their outcomes. */
const testCards = [
  ['4242 4242 4242 4242', m.test_card_succeeds],
  ['4000 0027 6000 3184', m.test_card_challenge],
  ['4000 0025 0000 3155', m.test_card_challenge_once],
  ['4000 0000 0000 0002', m.test_card_declined],
  ['4000 0000 0000 9995', m.test_card_funds],
  ['4000 0000 0000 0069', m.test_card_expired],
  ['4000 0000 0000 0341', m.test_card_declines_later],
  ['4000 0000 0000 0259', m.test_card_disputed],
  ['4000 0000 0000 3220', m.test_card_slow],
] as const

/** The test numbers; a click fills the form in. */
export function TestCards({ onChoose }: { onChoose: (number: string) => void }) {
  return (
    <Section id="test-cards" title={m.test_cards_title()} lead={m.test_cards_text()}>
      <SectionList label={m.test_cards_title()}>
        {testCards.map(([number, does]) => (
          <SectionRow key={number} title={number} text={does()}>
            <Button
              size="xs"
              variant="default"
              aria-label={m.test_card_use_one({ number })}
              onClick={() => onChoose(number)}
            >
              {m.test_card_use()}
            </Button>
          </SectionRow>
        ))}
      </SectionList>
    </Section>
  )
}
