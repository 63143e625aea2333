import type { Database } from '#platform/db/pool.ts'

type Answer = {
  readonly title: string
  readonly body_en: string
  readonly body_ro: string
  readonly department?: string
  readonly priority?: number
  readonly hold?: boolean
  readonly tags?: string[]
  readonly moves?: string
}

/** The canned answers of the demo's support; `department` undefined: for every one. Two of them are macros. */
const answers: readonly Answer[] = [
  {
    title: 'Ask for access to the panel',
    body_en:
      'Hello {first_name},\n\nmay we look into your panel? On this page, under **Access for support**, you choose for how long, and it ends by itself.\n\nBest regards\n{my_name}',
    body_ro:
      'Bună, {first_name},\n\nne permiți să verificăm în panou? Pe această pagină, la **Acces pentru suport**, alegi pentru cât timp; accesul se încheie de la sine.\n\nCu stimă,\n{my_name}',
  },
  {
    title: 'Solved?',
    body_en:
      'Hello {first_name},\n\nwe changed what we described above. Does everything work as you expect? If we hear nothing for a week after it is resolved, ticket {number} closes by itself.\n\nBest regards\n{my_name}',
    body_ro:
      'Bună, {first_name},\n\nam făcut modificarea descrisă mai sus. Funcționează totul cum te aștepți? Dacă nu mai primim niciun mesaj la o săptămână după rezolvare, tichetul {number} se închide de la sine.\n\nCu stimă,\n{my_name}',
  },
  {
    department: 'billing',
    title: 'Details on invoices',
    body_en:
      'Hello {first_name},\n\nthe name and the address on invoices come from **Manage account**, under Billing info. What you change there stands on every invoice from then on; an issued one stays as it is.\n\nBest regards\n{my_name}',
    body_ro:
      'Bună, {first_name},\n\nnumele și adresa de pe facturi vin din **Administrare cont**, secțiunea de facturare. Ce schimbi acolo apare pe toate facturile de acum înainte; cele emise rămân așa cum sunt.\n\nCu stimă,\n{my_name}',
  },
  {
    title: 'Waiting for the data centre',
    priority: 3,
    hold: true,
    tags: ['data-centre'],
    body_en:
      'Hello {first_name},\n\nwe see it too, and asked the technicians on site to look. We write again as soon as they answer.\n\nBest regards\n{my_name}',
    body_ro:
      'Bună, {first_name},\n\nvedem și noi problema și am rugat tehnicienii din centrul de date să verifice. Îți scriem imediat ce răspund.\n\nCu stimă,\n{my_name}',
  },
  {
    title: 'A question for billing',
    department: 'technical',
    tags: ['invoice'],
    moves: 'billing',
    body_en:
      'Hello {first_name},\n\nmy colleagues of billing know this better. They answer you here, on ticket {number}.\n\nBest regards\n{my_name}',
    body_ro:
      'Bună, {first_name},\n\ncolegii de la facturare știu mai bine. Îți vor răspunde aici, pe tichetul {number}.\n\nCu stimă,\n{my_name}',
  },
]

/** Creates the canned answers of the demo. */
export async function writeDemoAnswers(tx: Database): Promise<void> {
  for (const { title, body_en, body_ro, ...of } of answers)
    await tx
      .insertInto('canned_answers')
      .values(({ selectFrom }) => ({
        title,
        body_en,
        body_ro,
        priority: of.priority ?? null,
        hold: of.hold ?? false,
        tags: of.tags ?? [],
        ticket_department_id: selectFrom('ticket_departments')
          .select('id')
          .where('code', '=', of.department ?? ''),
        move_to_id: selectFrom('ticket_departments')
          .select('id')
          .where('code', '=', of.moves ?? ''),
      }))
      .execute()
}
