import { useQuery } from '@tanstack/react-query'
import { explained } from '../../api/queries/usage.ts'
import { m } from '../../texts/compiled/messages.js'
import { Bone } from '../../ui/loading/bones.tsx'
import { useFocusBack } from '../../ui/modal/focus-back.ts'
import { Modal } from '../../ui/modal/modal.tsx'
import { LoadFailure } from '../load-failure.tsx'
import { WhyParts } from './why-parts.tsx'
import { questionOf } from './words.ts'

type Props = { account: number | undefined; month: string; onClose: () => void }

/** The same for the month of a bill. */
export function WhyDialog({ account, month, onClose }: Props) {
  useFocusBack()
  const { data, error, isError, refetch } = useQuery(explained({ client_id: account }, month))
  return (
    <Modal
      opened
      onClose={onClose}
      title={data ? questionOf(data) : m.loading()}
      closeButtonProps={{ 'aria-label': m.close() }}
    >
      {data && data.parts.length > 0 && <WhyParts explanation={data} search={{ account }} />}
      {!data &&
        (isError ? <LoadFailure error={error} onRetry={() => void refetch()} /> : <Bone height={200} />)}
    </Modal>
  )
}
