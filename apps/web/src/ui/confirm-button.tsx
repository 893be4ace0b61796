import { Button, type ButtonProps, Group, Modal, Stack, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { Failure } from './states/failure.tsx'
import { useSurroundings } from './words.tsx'

type Question = {
  /** The effect of the action and the affected records. */
  message: ReactNode
  title?: string
  /** The dialog stays open while this runs, closes on success and shows the error on failure. */
  onConfirm: () => unknown
  danger?: boolean
}

type DialogProps = Question & { confirmLabel: ReactNode; onClose: () => void }

/** Asks for confirmation; `confirmLabel` is the verb on the button that runs the action. */
export function ConfirmDialog({ message, title, confirmLabel, onConfirm, danger, onClose }: DialogProps) {
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
          <Button variant="default" onClick={onClose} disabled={running} data-autofocus>
            {say('actions.cancel')}
          </Button>
          <Button color={danger ? 'red.9' : undefined} onClick={run} loading={running}>
            {confirmLabel}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

type Props = ButtonProps & Question & { children: ReactNode; confirmLabel?: ReactNode }

/** Button with a confirmation dialog, whose own button repeats the label unless `confirmLabel` is given. */
export function ConfirmButton({ children, message, title, confirmLabel, onConfirm, danger, ...button }: Props) {
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
          confirmLabel={confirmLabel ?? children}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}
