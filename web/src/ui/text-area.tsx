import { InputBase, type InputBaseProps } from '@mantine/core'
import type { ComponentProps } from 'react'

type Props = InputBaseProps & Omit<ComponentProps<'textarea'>, keyof InputBaseProps>

/** The library's text area without its auto-growing variant, which weighs more than the rest. */
export const TextArea = (props: Props) => <InputBase component="textarea" multiline {...props} />
