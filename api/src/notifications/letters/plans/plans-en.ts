import { dayIn, type Language, type Link, moneyIn, pages } from '#notifications/letters/words.ts'
import { type DearerFee, type DearerMeter, panelsIn, rateIn } from './plan-letter.ts'

const day = dayIn('en-GB')

const list = new Intl.ListFormat('en-GB')

const seePanels: Link = { label: 'See your panels', path: pages.dashboard }

const meters: Readonly<Record<string, string>> = {
  cpu_hours: 'Processor',
  ram_gb_hours: 'Memory',
  disk_gb_hours: 'Disk',
  traffic_gb: 'Traffic',
  ipv4_hours: 'IPv4 addresses',
  backup_gb_hours: 'Backup',
  domain_days: 'Domains',
  mailbox_days: 'Mailboxes',
  panel_hours: 'Panel',
}

const fee = ({ plan, panels, currency, was, becomes }: DearerFee) =>
  `Plan ${plan} (${panelsIn(panels, list, (count) => `${count} panels`)}): ${moneyIn({ amount: becomes, currency })} a month instead of ${moneyIn({ amount: was, currency })}.`

function rate({ meter, unit, plan, currency, was, becomes }: DearerMeter): string {
  const what = `${meters[meter] ?? meter}${plan === null ? '' : ` with plan ${plan}`}`
  if (was === null || becomes === null) return `${what}: new prices by quantity.`
  if (was === becomes) return `${what}: a smaller quantity is included.`
  return `${what}: ${rateIn(becomes, currency)} instead of ${rateIn(was, currency)} (${unit}).`
}

/** English letters about plans and their prices. */
export const planLetters: Pick<Language['letters'], 'prices-rise' | 'plan-traffic' | 'plan-assigned'> = {
  'prices-rise': ({ on, fees, meters: dearer }) => ({
    subject: `Some of your prices will rise on ${day(on)}`,
    say: [
      `From ${day(on)} the following will cost more. Until then nothing changes.`,
      ...fees.map(fee),
      ...dearer.map(rate),
    ],
    button: seePanels,
    after: [
      'Prices do not include VAT. You can change the plan of a panel, or delete the panel, at any time before that day.',
    ],
  }),
  'plan-assigned': ({ panel, plan, on, reason, price: { monthly: amount, currency } }) => ({
    subject: `The plan of a panel from ${day(on)}`,
    say: [
      `Our team has chosen a plan for the panel ${panel}. From ${day(on)} it has plan ${plan}, at ${moneyIn({ amount, currency })} a month without VAT.`,
      `The reason: ${reason}`,
    ],
    button: seePanels,
    after: [
      'You can choose another plan, or delete the panel, at any time. If you did not expect this, write to us.',
    ],
  }),
  'plan-traffic': ({ panel, plan, percent, used, allowed }) => ({
    subject:
      percent === 100
        ? 'A panel has used all of its plan’s traffic this month'
        : `A panel has used ${percent}% of its traffic this month`,
    say: [
      `The panel ${panel} has used ${used} GB of traffic this month. Its plan ${plan} is meant for ${allowed} GB a month.`,
    ],
    button: seePanels,
    after: [
      percent === 100
        ? 'The panel keeps running. Our team knows about it too, and will write to you if something has to change. You can choose a larger plan at any time.'
        : 'The panel keeps running. If it needs more, you can choose a larger plan at any time.',
    ],
  }),
}
