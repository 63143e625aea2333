import { Combobox, useCombobox } from '@mantine/core'
import { useEffect, useId, useState } from 'react'
import { useLanguage } from '../../stores/language.ts'
import { m } from '../../texts/compiled/messages.js'
import '../../ui/styles/combobox.ts'
import type { LateMenuProps } from '../../ui/loading/late-menu.tsx'
import { CountryFace } from './country-face.tsx'
import { type Country, type CountryCode, countriesIn, dialOf } from './numbers.ts'
import classes from './phone-field.module.css'

const plain = (text: string) =>
  text
    .normalize('NFD')
    .replace(/\p{Diacritic}/gu, '')
    .toLowerCase()

/** Finds countries by name with or without diacritics, by their two letters, or by dial code. */
const matches = ({ name, code, dial }: Country, search: string) =>
  plain(name).includes(search) ||
  code.toLowerCase() === search ||
  dial.startsWith(search.replace(/^\+?/, '+'))

type Props = LateMenuProps<{ country: CountryCode; onChoose: (country: CountryCode) => void }>

/** The country of a number; opens a list with a search box. */
export function CountryMenu({ of: { country, onChoose }, startOpen }: Props) {
  const language = useLanguage()
  const [search, setSearch] = useState('')
  const list = useId()
  const box = useCombobox({
    onDropdownOpen: () => {
      box.focusSearchInput()
      box.updateSelectedOptionIndex('active', { scrollIntoView: true })
    },
    onDropdownClose: () => {
      box.resetSelectedOption()
      setSearch('')
    },
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: opens once, if it was pressed before it loaded.
  useEffect(() => {
    if (startOpen) box.openDropdown()
  }, [startOpen])
  const all = box.dropdownOpened ? countriesIn(language) : []
  const shown = all.filter((one) => matches(one, plain(search.trim())))
  const choose = (code: string) => {
    const chosen = all.find((one) => one.code === code)
    if (chosen) onChoose(chosen.code)
    box.closeDropdown()
  }
  return (
    <Combobox
      store={box}
      width={280}
      position="bottom-start"
      // Outside of the field, whose layer is below later content, but inside the main landmark.
      portalProps={{ target: '#main' }}
      onOptionSubmit={choose}
    >
      <Combobox.Target targetType="button">
        <CountryFace country={country} dial={dialOf(country)} onClick={() => box.toggleDropdown()} />
      </Combobox.Target>
      <Combobox.Dropdown className={classes.dropdown}>
        <Combobox.Search
          role="combobox"
          aria-expanded
          // By itself the search names its list only once something else draws it again.
          aria-controls={list}
          value={search}
          aria-label={m.phone_country_search()}
          placeholder={m.phone_country_search()}
          onChange={(event) => {
            setSearch(event.currentTarget.value)
            box.selectFirstOption()
          }}
        />
        <Combobox.Options id={list} className={classes.list} aria-label={m.phone_country_search()}>
          {shown.map(({ code, name, dial }) => (
            <Combobox.Option key={code} value={code} active={code === country} className={classes.option}>
              {name}
              <span>{dial}</span>
            </Combobox.Option>
          ))}
          {shown.length === 0 && <Combobox.Empty>{m.nothing_found()}</Combobox.Empty>}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}
