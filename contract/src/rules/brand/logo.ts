/** The limits of a logo: the file in bytes, its sides in pixels, and how much longer one side may be. */
export const logoLimits = { bytes: 262_144, leastSide: 32, mostSide: 2000, ratio: 6 } as const

/** The extensions of files that may be a logo. SVG is none: it may hold scripts, and reach out of the page. */
export const logoExtensions = ['png', 'jpg', 'jpeg', 'webp'] as const

/** The height of the logo in the portal, in pixels, and its greatest width. */
export const shownLogo = { height: 28, mostWidth: 132 } as const

/** The width of the logo in the portal, in pixels. */
export const shownWidth = (width: number, height: number): number =>
  Math.min(shownLogo.mostWidth, Math.round((width / height) * shownLogo.height))

/** Whether a logo is a word mark, beside which the name would stand twice. */
export const isWordMark = (width: number, height: number): boolean => width >= 2 * height
