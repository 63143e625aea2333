import type { Card } from '../../api/queries/cards.ts'
import { useDelete } from '../../api/write.ts'
import { ConfirmDialog } from '../../components/dialogs/confirm.tsx'
import { cardName } from '../../components/pay/card-words.ts'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { focusSection } from '../../ui/section.tsx'

/** Asks for confirmation, then removes a card. */
export function RemoveCard({ card, onClose }: { card: Card; onClose: () => void }) {
  const remove = useDelete('cards')
  const name = cardName(card.brand, card.last4)
  const done = () => {
    toast(m.card_removed({ name }))
    onClose()
    focusSection('cards')
  }
  return (
    <ConfirmDialog
      danger
      title={m.card_remove_title({ name })}
      text={m.card_remove_text()}
      verb={m.remove()}
      action={remove}
      onConfirm={() => remove.mutate({ id: card.id }, { onSuccess: done })}
      onClose={onClose}
    />
  )
}
