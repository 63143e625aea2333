import { termsVersion } from '@portico/contract/legal.ts'
import { sql } from 'kysely'
import type { Database } from '#platform/db/pool.ts'

const terms = {
  en: `This is a sample for the demo of a fictional company. It is no contract.

## 1. The service

Carpat Cloud SRL offers panels that manage servers, clusters and domains. What is used is measured by the hour and charged each UTC day, at the prices of that day.

## 2. Payment

Use is paid from a balance that is topped up before. An account below zero is warned, then its panels are suspended, as its billing page says with the dates.

## 3. What is not allowed

Spam, attacks on others, and content that is against the law. Such panels are stopped, and a payment does not start them again.

## 4. End

You can close your account at any time. Money that was not used is paid back.`,
  ro: `Acesta este un exemplu pentru demonstrația unei companii fictive. Nu este un contract.

## 1. Serviciul

Carpat Cloud SRL oferă panouri care administrează servere, clustere și domenii. Consumul se măsoară pe oră și se taxează în fiecare zi UTC, la prețurile acelei zile.

## 2. Plata

Consumul se plătește dintr-un sold alimentat dinainte. Un cont sub zero este avertizat, apoi panourile lui sunt suspendate, la datele arătate în pagina de facturare.

## 3. Ce nu este permis

Spam, atacuri asupra altora și conținut împotriva legii. Asemenea panouri se opresc, iar o plată nu le repornește.

## 4. Încetarea

Îți poți închide contul oricând. Banii nefolosiți se înapoiază.`,
}

const privacy = {
  en: `This is a sample for the demo of a fictional company.

## What is stored

Your name, address, e-mail address and sign-ins; your panels and what they use; payments and invoices, for as long as the law asks for.

## Your rights

Under **Manage account** you can download a copy of your data and have your account erased.`,
  ro: `Acesta este un exemplu pentru demonstrația unei companii fictive.

## Ce se păstrează

Numele, adresa, adresa de e-mail și conectările tale; panourile și consumul lor; plățile și facturile, cât timp o cere legea.

## Drepturile tale

În **Contul meu** poți descărca o copie a datelor tale și poți cere ștergerea contului.`,
}

/** Samples of the texts that people accept, so that nobody accepts an empty page. */
export async function publishDemoTexts(tx: Database): Promise<void> {
  const of = (kind: string, { en, ro }: typeof terms) => ({
    kind,
    version: termsVersion,
    from_day: sql<string>`clock_today() - 400`,
    body_en: en,
    body_ro: ro,
  })
  await tx
    .insertInto('published_texts')
    .values([of('terms', terms), of('privacy', privacy)])
    .execute()
}
