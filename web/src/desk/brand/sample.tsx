import { contrastOfWhite, leastContrast, shadesOf } from '@portico/contract/rules/brand/accent.ts'
import type { CSSProperties } from 'react'
import { language } from '../../stores/language.ts'
import { m } from '../../texts/compiled/messages.js'
import classes from './brand.module.css'

const ratio = (value: number): string =>
  new Intl.NumberFormat(language(), { minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(
    Math.floor(value * 100) / 100,
  )

/** How buttons and words in the colour look in both schemes, and the contrast that counts. */
export function Sample({ accent }: { accent: string }) {
  const white = contrastOfWhite(accent)
  const shades = shadesOf(accent)
  const isGood = white >= leastContrast.text
  return (
    <div className={classes.sample}>
      <p className={isGood ? 'quiet' : classes.bad}>
        {isGood
          ? m.desk_brand_contrast({ ratio: ratio(white) })
          : m.desk_brand_contrast_low({ ratio: ratio(white), least: ratio(leastContrast.text) })}
      </p>
      {isGood &&
        (['light', 'dark'] as const).map((scheme) => {
          const { filled, text, soft } = shades[scheme]
          // The colours are the operator's, which no style sheet knows.
          const colours = { '--filled': filled, '--ink': text, '--soft': soft } as CSSProperties
          return (
            <div key={scheme} className={`${classes.look} ${classes[scheme]}`} style={colours}>
              <span className={classes.button}>{m.save()}</span>
              <span className={classes.words}>
                {scheme === 'light' ? m.desk_brand_light() : m.desk_brand_dark()}
              </span>
            </div>
          )
        })}
    </div>
  )
}
