import { legal } from '@portico/contract/legal.ts'
import type { ReactNode } from 'react'
import { loginPath, pricesPath } from '../../paths.ts'
import { languageNames, languages, language as now, setLanguage } from '../../stores/language.ts'
import { shownBrand } from '../../texts/brand.ts'
import { m } from '../../texts/compiled/messages.js'
import { useHeldPresses } from '../../ui/loading/running.ts'
import { Logo } from '../logo.tsx'
import classes from './plain.module.css'

const legalLinks = [
  { to: legal.terms, name: m.terms },
  { to: legal.privacy, name: m.privacy },
]

/** A centred column under the brand, for pages that stand alone. */
export function PlainFrame({ wide = false, children }: { wide?: boolean; children: ReactNode }) {
  useHeldPresses()
  return (
    <div className={classes.page}>
      <header>
        <a className="brand" href={loginPath}>
          <Logo />
          <span>{m.brand()}</span>
        </a>
      </header>
      <main id="main" tabIndex={-1} className={`${classes.main} ${wide ? classes.wide : ''}`}>
        {children}
      </main>
      <footer className={classes.footer}>
        <a href={pricesPath}>{m.prices_title()}</a>
        {legalLinks.map(({ to, name }) => (
          <a key={to} href={to}>
            {name()}
          </a>
        ))}
        <span className={classes.languages}>
          {languages.map((code) => (
            <button
              key={code}
              type="button"
              lang={code}
              className={classes.choice}
              aria-pressed={now() === code}
              onClick={() => setLanguage(code)}
            >
              {languageNames[code]}
            </button>
          ))}
        </span>
        <p data-legal="" className={classes.legal}>
          {shownBrand().legal[now()]}
        </p>
      </footer>
    </div>
  )
}
