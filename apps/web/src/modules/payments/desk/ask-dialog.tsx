import { Alert, Button, Group, Modal, Stack } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { ApiError } from '#web/api/client.ts'
import { useDeskWords } from './words.ts'

type Props = {
  title: string
  submit: string
  done: string
  /** Sends it; what is refused is shown above or, by `onRefused`, beside its fields. */
  send: () => Promise<unknown>
  onRefused?: (errors: Record<string, string>, error: ApiError) => void
  onClose: () => void
  disabled?: boolean
  children: ReactNode
}

/** A form in a dialog that asks for something. */
export function AskDialog({ title, submit, done, send, onRefused, onClose, disabled = false, children }: Props) {
  const { t } = useDeskWords()
  const queries = useQueryClient()
  const sending = useMutation<unknown, ApiError>({
    mutationFn: send,
    onSuccess: () => {
      notifications.show({ color: 'green', message: done })
      void queries.invalidateQueries()
      onClose()
    },
    onError: (error) => onRefused?.(error.fieldMessages, error),
  })
  const beside = sending.error && Object.keys(sending.error.errors).length > 0
  return (
    <Modal
      opened
      onClose={() => !sending.isPending && onClose()}
      size="lg"
      title={title}
      closeButtonProps={{ 'aria-label': t('common:actions.close') }}
    >
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (!disabled && !sending.isPending) sending.mutate()
        }}
      >
        <Stack gap="md">
          {sending.error && !beside && (
            <Alert color="red" variant="light" role="alert" children={sending.error.message} />
          )}
          {children}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose} disabled={sending.isPending}>
              {t('common:actions.cancel')}
            </Button>
            <Button type="submit" loading={sending.isPending} disabled={disabled}>
              {submit}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
