import { isWordMark, shownLogo, shownWidth } from '@portico/contract/rules/brand/logo.ts'
import { shownBrand } from '../texts/brand.ts'

const size = shownLogo.height

/**
 * The operator's logo, or the portal's: a gable on columns, in the accent colour of both schemes. The server replaces the one
 * by the other in prerendered pages (`brandDress`).
 */
export function Logo() {
  const { logo } = shownBrand()
  if (logo !== null) {
    const { path, width, height } = logo
    const kind = isWordMark(width, height) ? 'word' : 'mark'
    return <img data-logo={kind} src={path} width={shownWidth(width, height)} height={size} alt="" />
  }
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" aria-hidden="true" data-logo="own">
      <rect width="24" height="24" rx="6" fill="var(--mantine-primary-color-filled, #3f53c8)" />
      <path
        d="M12 4.6 19 9v1.4H5V9z M6.4 11.6h1.9v5.2H6.4z M11.05 11.6h1.9v5.2h-1.9z M15.7 11.6h1.9v5.2h-1.9z M5 17.8h14v1.6H5z"
        fill="#fff"
      />
    </svg>
  )
}
