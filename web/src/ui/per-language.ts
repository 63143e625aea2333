/** Keeps what is made for each language: creating a format of `Intl` costs about a hundred times as much as using it. */
export function perLanguage<Made>(make: (language: string) => Made): (language: string) => Made {
  const made = new Map<string, Made>()
  return (language) => {
    const known = made.get(language)
    if (known !== undefined) return known
    const one = make(language)
    made.set(language, one)
    return one
  }
}
