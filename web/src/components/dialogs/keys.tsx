import { Checkbox } from '@mantine/core'
import { setLetterKeys, useLetterKeys } from '../../stores/letter-keys.ts'
import { closeOverlay, type KeyList, pageKeys } from '../../stores/overlay.ts'
import { m } from '../../texts/compiled/messages.js'
import '../../ui/styles/checkbox.ts'
import { Modal } from '../../ui/modal/modal.tsx'
import classes from './keys.module.css'

const ofPortal: KeyList = [
  { press: ['Ctrl K', '⌘ K'], does: m.key_palette },
  { press: ['/'], does: m.key_search },
  { press: ['g d'], does: m.key_dashboard },
  { press: ['g b'], does: m.key_billing },
  { press: ['g u'], does: m.key_usages },
  { press: ['g t'], does: m.key_tickets },
  { press: ['?'], does: m.key_list },
]

/** The keyboard shortcuts, with a switch to turn off those without a modifier key. */
export function KeysDialog({ keys = ofPortal }: { keys?: KeyList }) {
  const on = useLetterKeys()
  return (
    <Modal
      opened
      onClose={closeOverlay}
      title={m.keys_title()}
      closeButtonProps={{ 'aria-label': m.close() }}
    >
      <dl className={classes.keys}>
        {[...pageKeys(), ...keys].map(({ press, does }) => (
          <div key={press[0]}>
            <dt>{does()}</dt>
            <dd>
              {press.map((one) => (
                <kbd key={one}>{one}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
      <Checkbox
        label={m.keys_letters()}
        description={m.keys_letters_text()}
        checked={on}
        onChange={(event) => setLetterKeys(event.currentTarget.checked)}
      />
    </Modal>
  )
}
