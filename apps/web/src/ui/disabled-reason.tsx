import { Button, type ButtonProps, Tooltip } from '@mantine/core'
import { type ComponentPropsWithoutRef, type ReactNode, useId } from 'react'

type Props = ButtonProps &
  Omit<ComponentPropsWithoutRef<'button'>, keyof ButtonProps> & {
    /** Why it is not possible now; without a reason the button works. */
    reason?: string | null
    children: ReactNode
  }

/** A button that, when it cannot be used, stays reachable by keyboard and tells why. */
export function DisabledReason({ reason, children, onClick, ...button }: Props) {
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
      <span id={id} hidden>
        {reason}
      </span>
    </>
  )
}
