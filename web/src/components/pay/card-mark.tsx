import { IconCard } from '../../ui/more-icons.tsx'

const blue = '#1a3fa8'
const face = { fontWeight: 700, fontFamily: 'inherit' }

/** The mark of a card's brand, on the white of a card in both themes; a plain card for another brand. */
export function CardMark({ brand }: { brand: string | null }) {
  if (brand !== 'visa' && brand !== 'mastercard' && brand !== 'amex') return <IconCard size={18} />
  return (
    <svg width={32} height={20} viewBox="0 0 32 20" aria-hidden="true">
      <rect width="32" height="20" rx="3" fill={brand === 'amex' ? '#016fd0' : '#fff'} />
      {brand === 'visa' && (
        <text x="16" y="14" textAnchor="middle" fontSize="10" fontStyle="italic" fill={blue} style={face}>
          {'VISA'}
        </text>
      )}
      {brand === 'amex' && (
        <text x="16" y="13.5" textAnchor="middle" fontSize="9" fill="#fff" style={face}>
          {'AMEX'}
        </text>
      )}
      {brand === 'mastercard' && (
        <>
          <circle cx="12.5" cy="10" r="6" fill="#eb001b" />
          <circle cx="19.5" cy="10" r="6" fill="#f79e1b" fillOpacity="0.9" />
        </>
      )}
    </svg>
  )
}
