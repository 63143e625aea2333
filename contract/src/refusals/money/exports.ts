import { declare } from '../refusal.ts'

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
  export_saft_period: [
    422,
    'SAF-T D406 is for one month or one quarter, from its first day to its last.',
    'SAF-T D406 este pentru o lună sau un trimestru, de la prima zi până la ultima.',
  ],
  export_saft_seller: [
    422,
    'SAF-T D406 is for companies in Romania that keep their books in lei, during the whole period.',
    'SAF-T D406 este pentru companii din România care țin contabilitatea în lei, pe toată perioada.',
  ],
  export_saft_company: [
    422,
    'SAF-T D406 needs the telephone and the IBAN of the company. Add them under Company.',
    'SAF-T D406 cere telefonul și IBAN-ul companiei. Adaugă-le în pagina Companie.',
  ],
  export_saft_document: [
    422,
    'SAF-T D406 has no code here for the VAT of document {number}. Ask your accountant how to declare it.',
    'SAF-T D406 nu are aici un cod pentru TVA-ul documentului {number}. Întreabă contabilul cum se declară.',
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
    'This export has ended. Start a new one.',
    'Acest export s-a încheiat. Pornește unul nou.',
  ],
  archive_running: [
    409,
    'Another archive of yours is being packed. Wait until it is ready.',
    'O altă arhivă a ta se împachetează. Așteaptă să fie gata.',
  ],
  archive_not_ready: [
    409,
    'This archive is not packed yet. Wait until it is ready.',
    'Arhiva nu este încă împachetată. Așteaptă să fie gata.',
  ],
  archive_failed: [
    410,
    'This archive could not be packed. Start a new one.',
    'Arhiva nu a putut fi împachetată. Pornește una nouă.',
  ],
  archives_in_a_day: [
    429,
    'You can pack {most} archives a day. Try again later.',
    'Poți împacheta {most} arhive pe zi. Încearcă mai târziu.',
  ],
})
