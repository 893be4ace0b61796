import { Button, type ButtonProps, Group, Modal, Stack, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { Failure } from './states/failure.tsx'
import { useSurroundings } from './text/words.tsx'

type Question = {
  /** Effect of the action and affected records. */
  message: ReactNode
  title?: string
  /** The dialog stays open while this runs, closes on success and shows the error on failure. */
  onConfirm: () => unknown
  danger?: boolean
  /** Label that makes the button which changes nothing the main one; for questions before discarding input. */
  keepLabel?: string
}

type DialogProps = Question & {
  confirmLabel: ReactNode
  /** Where "cancel" could be read as the verb of the question. */
  cancelLabel?: string
  onClose: () => void
}

/**
 * Asks for confirmation. `confirmLabel` is the verb on the button that runs the action; null while it is not possible.
 */
export function ConfirmDialog({
  message,
  title,
  confirmLabel,
  cancelLabel,
  keepLabel,
  onConfirm,
  danger,
  onClose,
}: DialogProps) {
  const { say } = useSurroundings()
  const [running, setRunning] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const run = async () => {
    setRunning(true)
    setFailure(null)
    try {
      await onConfirm()
      onClose()
    } catch (error) {
      setFailure((error as Error).message)
    } finally {
      setRunning(false)
    }
  }
  const confirming = { onClick: run, loading: running, children: confirmLabel }
  return (
    <Modal
      opened
      onClose={() => !running && onClose()}
      title={title ?? say('confirmTitle')}
      centered
      closeButtonProps={{ 'aria-label': say('actions.close') }}
    >
      <Stack>
        {typeof message === 'string' ? <Text>{message}</Text> : message}
        <Failure>{failure}</Failure>
        <Group justify="flex-end">
          {keepLabel && <Button variant="default" {...{ c: 'var(--mantine-color-error)', ...confirming }} />}
          <Button variant={keepLabel ? 'filled' : 'default'} onClick={onClose} disabled={running} data-autofocus>
            {keepLabel ?? cancelLabel ?? say(confirmLabel === null ? 'actions.close' : 'actions.cancel')}
          </Button>
          {!keepLabel && confirmLabel !== null && <Button color={danger ? 'red.9' : undefined} {...confirming} />}
        </Group>
      </Stack>
    </Modal>
  )
}

type Props = ButtonProps & Question & { children: ReactNode; confirmLabel?: ReactNode }

/** Button with a confirmation dialog, whose own button repeats the label unless `confirmLabel` is given. */
export function ConfirmButton({
  children,
  message,
  title,
  confirmLabel,
  keepLabel,
  onConfirm,
  danger,
  ...button
}: Props) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button
        {...button}
        color={danger ? 'red.9' : button.color}
        onClick={() => setOpen(true)}
        aria-haspopup="dialog"
        children={children}
      />
      {open && (
        <ConfirmDialog
          {...{ message, title, onConfirm, danger }}
          {...(keepLabel !== undefined && { keepLabel })}
          confirmLabel={confirmLabel ?? children}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}
