import { counted } from '#notifications/letters/romanian.ts'
import { dayIn, type Language, type Link, moneyIn, pages } from '#notifications/letters/words.ts'
import { type DearerFee, type DearerMeter, panelsIn, rateIn } from './plan-letter.ts'

const day = dayIn('ro-RO')

const list = new Intl.ListFormat('ro-RO')

const seePanels: Link = { label: 'Vezi panourile', path: pages.dashboard }

const meters: Readonly<Record<string, string>> = {
  cpu_hours: 'Procesor',
  ram_gb_hours: 'Memorie',
  disk_gb_hours: 'Disc',
  traffic_gb: 'Trafic',
  ipv4_hours: 'Adrese IPv4',
  backup_gb_hours: 'Copii de siguranță',
  domain_days: 'Domenii',
  mailbox_days: 'Căsuțe poștale',
  panel_hours: 'Panou',
}

const fee = ({ plan, panels, currency, was, becomes }: DearerFee) =>
  `Planul ${plan} (${panelsIn(panels, list, (count) => counted(count, 'panouri'))}): ${moneyIn({ amount: becomes, currency })} pe lună în loc de ${moneyIn({ amount: was, currency })}.`

function rate({ meter, unit, plan, currency, was, becomes }: DearerMeter): string {
  const what = `${meters[meter] ?? meter}${plan === null ? '' : `, în planul ${plan}`}`
  if (was === null || becomes === null) return `${what}: prețuri noi pe trepte.`
  if (was === becomes) return `${what}: cantitatea inclusă este mai mică.`
  return `${what}: ${rateIn(becomes, currency)} în loc de ${rateIn(was, currency)} (${unit}).`
}

/** Romanian letters about plans and their prices. */
export const planLetters: Pick<Language['letters'], 'prices-rise' | 'plan-traffic' | 'plan-assigned'> = {
  'prices-rise': ({ on, fees, meters: dearer }) => ({
    subject: `Unele prețuri cresc de la ${day(on)}`,
    say: [
      `De la ${day(on)} vor costa mai mult cele de mai jos. Până atunci nu se schimbă nimic.`,
      ...fees.map(fee),
      ...dearer.map(rate),
    ],
    button: seePanels,
    after: [
      'Prețurile sunt fără TVA. Până în acea zi poți oricând să schimbi planul unui panou sau să ștergi panoul.',
    ],
  }),
  'plan-assigned': ({ panel, plan, on, reason, price: { monthly: amount, currency } }) => ({
    subject: `Planul unui panou din ${day(on)}`,
    say: [
      `Echipa noastră a ales un plan pentru panoul ${panel}. Din ${day(on)} are planul ${plan}, la ${moneyIn({ amount, currency })} pe lună fără TVA.`,
      `Motivul: ${reason}`,
    ],
    button: seePanels,
    after: ['Poți alege oricând alt plan sau poți șterge panoul. Dacă nu te așteptai la asta, scrie-ne.'],
  }),
  'plan-traffic': ({ panel, plan, percent, used, allowed }) => ({
    subject:
      percent === 100
        ? 'Un panou a consumat tot traficul planului pe luna aceasta'
        : `Un panou a consumat ${percent}% din traficul lunii`,
    say: [
      `Panoul ${panel} a consumat luna aceasta ${used} GB de trafic. Planul ${plan} prevede ${allowed} GB pe lună.`,
    ],
    button: seePanels,
    after: [
      percent === 100
        ? 'Panoul funcționează în continuare. Am anunțat și echipa noastră, care îți va scrie dacă trebuie schimbat ceva. Poți alege oricând un plan mai mare.'
        : 'Panoul funcționează în continuare. Dacă are nevoie de mai mult, poți alege oricând un plan mai mare.',
    ],
  }),
}
