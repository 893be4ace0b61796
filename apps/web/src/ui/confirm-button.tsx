import { Button, type ButtonProps, Group, Modal, Stack, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { Failure } from './failure.tsx'
import { useSurroundings } from './words.tsx'

type Props = ButtonProps & {
  children: ReactNode
  /** The effect of the action and the affected records. */
  message: ReactNode
  title?: string
  /** Label of the confirming button; default: the label of the button itself. */
  confirmLabel?: ReactNode
  /** The dialog stays open while this runs, closes on success and shows the error on failure. */
  onConfirm: () => unknown
  danger?: boolean
}

/** A button that asks for confirmation. */
export function ConfirmButton({ children, message, title, confirmLabel, onConfirm, danger, ...button }: Props) {
  const { say } = useSurroundings()
  const [open, setOpen] = useState(false)
  const [running, setRunning] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const run = async () => {
    setRunning(true)
    setFailure(null)
    try {
      await onConfirm()
      setOpen(false)
    } catch (error) {
      setFailure((error as Error).message)
    } finally {
      setRunning(false)
    }
  }
  return (
    <>
      <Button
        {...button}
        color={danger ? 'red.9' : button.color}
        onClick={() => {
          setFailure(null)
          setOpen(true)
        }}
        aria-haspopup="dialog"
      >
        {children}
      </Button>
      <Modal
        opened={open}
        onClose={() => !running && setOpen(false)}
        title={title ?? say('confirmTitle')}
        centered
        closeButtonProps={{ 'aria-label': say('actions.close') }}
      >
        <Stack>
          {typeof message === 'string' ? <Text>{message}</Text> : message}
          <Failure>{failure}</Failure>
          <Group justify="flex-end">
            <Button variant="default" onClick={() => setOpen(false)} disabled={running} data-autofocus>
              {say('actions.cancel')}
            </Button>
            <Button color={danger ? 'red.9' : undefined} onClick={run} loading={running}>
              {confirmLabel ?? children}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  )
}
