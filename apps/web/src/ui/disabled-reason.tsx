import { Button, type ButtonProps, Tooltip } from '@mantine/core'
import { type ComponentPropsWithoutRef, type ReactNode, useId } from 'react'

import classes from './disabled-reason.module.css'

type Props = ButtonProps &
  Omit<ComponentPropsWithoutRef<'button'>, keyof ButtonProps> & {
    /** Why the action is not allowed; without a reason the button works. */
    reason?: string | null
    /** Always shows the reason beside the button. */
    showsReason?: boolean
    children: ReactNode
  }

/**
 * A button that stays focusable while disabled. The reason shows on hover and focus; without a mouse or with
 * `showsReason`, always.
 */
export function DisabledReason({ reason, showsReason, children, onClick, ...button }: Props) {
  const id = useId()
  if (!reason)
    return (
      <Button {...button} onClick={onClick}>
        {children}
      </Button>
    )
  return (
    <>
      <Tooltip label={reason} multiline maw={320} events={{ hover: true, focus: true, touch: true }}>
        <Button
          {...button}
          data-disabled
          aria-disabled="true"
          aria-describedby={id}
          onClick={(event) => event.preventDefault()}
        >
          {children}
        </Button>
      </Tooltip>
      <span id={id} className={classes.reason} data-shown={showsReason || undefined}>
        {reason}
      </span>
    </>
  )
}
