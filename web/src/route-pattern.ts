/** A regular expression for the addresses of a path; ids of rows are numbers. */
export function pattern(path: string): RegExp {
  const parts = path.split('/').filter(Boolean)
  const source = parts.map((part) => {
    if (!part.startsWith(':')) return `/${part}`
    const value = part.startsWith(':panel_id') ? '[0-9]+' : '[^/]+'
    return part.endsWith('?') ? `(?:/${value})?` : `/${value}`
  })
  return new RegExp(`^${source.join('')}/?$`)
}
