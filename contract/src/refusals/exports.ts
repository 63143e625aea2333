import { declare } from './refusal.ts'

/** Refusals of files for the accounts. */
export const exportRefusals = declare({
  export_period_reversed: [
    422,
    'The last day is before the first one.',
    'Ultima zi este înaintea primei zile.',
  ],
  export_period_year: [
    422,
    'These days must be in one year. Export each year by itself.',
    'Zilele trebuie să fie din același an. Exportă fiecare an separat.',
  ],
  export_period_most: [
    422,
    'An export covers at most {days} days. Export a longer time in parts.',
    'Un export cuprinde cel mult {days} de zile. Exportă o perioadă mai lungă pe bucăți.',
  ],
  export_of_others: [
    403,
    'Only the person who asked for this export can download it. Start one of your own.',
    'Doar persoana care a cerut acest export îl poate descărca. Pornește unul al tău.',
  ],
  export_ended: [
    410,
    'This export has ended. Start a new one for the same period.',
    'Acest export s-a încheiat. Pornește unul nou pentru aceeași perioadă.',
  ],
})
