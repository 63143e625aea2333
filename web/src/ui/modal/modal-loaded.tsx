import { Modal, type ModalProps } from '@mantine/core'
import '../styles/dialog.ts'

export const LoadedModal = (props: ModalProps) => <Modal {...props} />
