import { Button, type ButtonProps } from '@mantine/core'
import type { ComponentPropsWithRef, ReactNode } from 'react'

type Props = ButtonProps & Omit<ComponentPropsWithRef<'button'>, keyof ButtonProps> & { icon: ReactNode; label: string }

export const BarButton = ({ icon, label, ...props }: Props) => (
  <Button variant="default" size="sm" px="sm" fw={500} leftSection={icon} {...props} children={label} />
)
