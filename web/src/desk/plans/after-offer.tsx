import { Button, Group } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { m } from '../../texts/compiled/messages.js'
import { Section, SectionBody } from '../../ui/section.tsx'
import { deskHref, portal } from '../routes.ts'

/** Where the prices of an offered plan are, for staff and for clients. */
export function AfterOffer() {
  return (
    <Section id="next" title={m.desk_plan_next()} lead={m.desk_plan_next_lead()}>
      <SectionBody>
        <Group gap={8}>
          <Button
            variant="default"
            renderRoot={(props) => <Link {...props} to={deskHref('plans')} hash="prices" />}
          >
            {m.desk_plan_next_prices()}
          </Button>
          <Button variant="default" component="a" href={portal.prices}>
            {m.desk_plan_next_page()}
          </Button>
        </Group>
      </SectionBody>
    </Section>
  )
}
