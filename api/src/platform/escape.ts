const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Escapes text for an element or a quoted attribute of HTML and XML. */
export const escaped = (text: string): string => text.replace(/[&<>"']/g, (one) => entities[one] ?? '')
