import { isWord, t } from './words.ts'

export type Fields = Readonly<Record<string, unknown>>

type Attributes = Readonly<Record<string, string | boolean | ((event: Event) => unknown)>>

/** An element with its attributes, listeners and children. Texts are texts: nothing is read as HTML. */
export function el(tag: string, attributes: Attributes = {}, ...children: (Node | string)[]): HTMLElement {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes))
    if (typeof value === 'function') element.addEventListener(name, value)
    else if (typeof value === 'boolean') element.toggleAttribute(name, value)
    else element.setAttribute(name, value)
  element.append(...children)
  return element
}

class Refused extends Error {
  override readonly name = 'Refused'
}

/** Asks the engine as the person who is signed in. */
export async function ask<T>(path: string, body: Fields = {}): Promise<T> {
  const response = await fetch(`/api${path}`, { method: 'POST', body: JSON.stringify(body) })
  const text = await response.text()
  const said = text === '' ? {} : JSON.parse(text)
  if (!response.ok) {
    const code = String(said.error?.code ?? '')
    throw new Refused(isWord(code) ? t(code) : t('failed'))
  }
  return said
}

/** A button that is disabled while its act runs; a refusal is shown next to it. */
export function button(label: string, act: () => Promise<unknown>, more: Attributes = {}): HTMLElement {
  const said = el('span', { class: 'said', role: 'alert' })
  const element = el('button', { type: 'button', ...more }, label)
  element.addEventListener('click', async () => {
    element.toggleAttribute('disabled', true)
    said.textContent = ''
    try {
      await act()
    } catch (error) {
      said.textContent = error instanceof Error ? error.message : t('failed')
    }
    element.toggleAttribute('disabled', false)
  })
  return el('span', {}, element, ' ', said)
}

/** A form of fields by name; what they hold is handed on. */
export function form(
  fields: Readonly<Record<string, HTMLElement>>,
  label: string,
  act: (values: Fields) => Promise<unknown>,
) {
  const said = el('span', { class: 'said', role: 'alert' })
  const labels = Object.entries(fields).map(([name, field]) => {
    field.setAttribute('name', name)
    return el('label', {}, field.getAttribute('aria-label') ?? '', field)
  })
  for (const field of Object.values(fields)) field.removeAttribute('aria-label')
  const submit = async (event: Event) => {
    event.preventDefault()
    said.textContent = ''
    const values = Object.fromEntries(
      Object.entries(fields).map(([name, field]) => [name, 'value' in field ? String(field.value) : '']),
    )
    try {
      await act(values)
    } catch (error) {
      said.textContent = error instanceof Error ? error.message : t('failed')
    }
  }
  return el('form', { submit }, ...labels, el('button', { class: 'main' }, label), said)
}

/** A button that deletes something with all its data, once its name was typed. */
export const remover = (name: string, act: () => Promise<unknown>): HTMLElement =>
  button(
    t('remove'),
    async () => {
      if (prompt(`${t('sureDelete')} ${name}`) === name) await act()
    },
    { 'aria-label': `${t('remove')} ${name}` },
  )
