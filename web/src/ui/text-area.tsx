import { InputBase, type InputBaseProps } from '@mantine/core'
import type { ComponentProps } from 'react'

type Props = InputBaseProps & Omit<ComponentProps<'textarea'>, keyof InputBaseProps>

/** A field of several lines: the library's own, without what makes its other one grow, which weighs more than the rest. */
export const TextArea = (props: Props) => <InputBase component="textarea" multiline {...props} />
