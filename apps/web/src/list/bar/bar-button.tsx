import { Button, type ButtonProps } from '@mantine/core'
import type { ComponentPropsWithRef, ReactNode } from 'react'
import classes from '#web/list/list.module.css'

type Props = ButtonProps & Omit<ComponentPropsWithRef<'button'>, keyof ButtonProps> & { icon: ReactNode; label: string }

/** A button above the rows; on narrow screens its label is hidden but still read aloud. */
export const BarButton = ({ icon, label, ...props }: Props) => (
  <Button
    variant="default"
    size="sm"
    px="sm"
    fw={500}
    aria-label={label}
    leftSection={icon}
    classNames={{ section: classes.barIcon, label: classes.barLabel }}
    {...props}
    children={label}
  />
)
