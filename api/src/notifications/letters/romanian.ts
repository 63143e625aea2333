const plural = new Intl.PluralRules('ro')

/** Romanian says "2 ore" but "24 de ore". */
export const counted = (count: number, few: string) =>
  `${count} ${plural.select(count) === 'other' ? 'de ' : ''}${few}`
