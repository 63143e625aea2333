import { declare } from './refusal.ts'

/** Refusals of usage: ingestion, totals and reports. */
export const usageRefusals = declare({
  usage_events_refused: [
    422,
    'All events were rejected because strict mode is on. Invalid events: {count}.',
    'Toate evenimentele au fost respinse, deoarece modul strict este activ. Evenimente nevalide: {count}.',
  ],
  usage_none_takeable: [
    409,
    'The causes for which usage was rejected are still there. None of it can be taken.',
    'Cauzele pentru care a fost respins consumul încă există. Nimic din el nu poate fi preluat.',
  ],
  currency_not_sold: [
    422,
    'There are no prices in {currency}. Choose one of these currencies: {currencies}.',
    'Nu există prețuri în {currency}. Alege una dintre aceste monede: {currencies}.',
  ],
  watermark_ahead: [422, 'through is in the future.', 'through este în viitor.'],
  usage_days_out_of_range: [
    400,
    'Ask for 1 to {most} days.',
    'Numărul de zile cerute trebuie să fie între 1 și {most}.',
  ],
  usage_rows_most: [
    400,
    'The result has more than {most} rows. Ask for fewer days.',
    'Rezultatul depășește limita de rânduri ({most}). Cere mai puține zile.',
  ],
  usage_month_ahead: [400, 'Choose a month that has begun.', 'Alege o lună care a început deja.'],
  usage_client_missing: [
    400,
    'Specify the account whose usage you want.',
    'Precizează contul al cărui consum îl vrei.',
  ],
})
