import { declare } from './refusal.ts'

/** What usage, its sums and its reports by engines refuse. */
export const usageRefusals = declare({
  usage_events_refused: [
    422,
    'Events that were refused: {count}. As you asked, none was counted.',
    'Evenimente refuzate: {count}. Așa cum ai cerut, nu s-a numărat niciunul.',
  ],
  watermark_ahead: [422, 'through lies in the future.', 'through este în viitor.'],
  usage_days_out_of_range: [
    400,
    'Ask for 1 to {most} days.',
    'Numărul de zile cerute trebuie să fie între 1 și {most}.',
  ],
  usage_rows_most: [
    400,
    'That is more than {most} rows. Ask for fewer days.',
    'Rezultatul depășește limita de rânduri ({most}). Cere mai puține zile.',
  ],
  usage_client_missing: [
    400,
    'Name the account whose usage you ask for.',
    'Precizează contul al cărui consum îl ceri.',
  ],
})
