/** What an address must look like to be of this path; ids of the portal's own rows are numbers. */
export function pattern(path: string): RegExp {
  const parts = path.split('/').filter(Boolean)
  const source = parts.map((part) => {
    if (!part.startsWith(':')) return `/${part}`
    const value = part.startsWith(':panel_id') ? '[0-9]+' : '[^/]+'
    return part.endsWith('?') ? `(?:/${value})?` : `/${value}`
  })
  return new RegExp(`^${source.join('')}/?$`)
}
