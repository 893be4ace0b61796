import { Button, Group, Modal, Stack } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { ApiError } from '#web/api/client.ts'
import type { Checks } from '#web/api/use-checks.ts'
import { Failure } from '#web/ui/failure.tsx'
import { useDeskWords } from './words.ts'

type Props = {
  title: string
  submit: string
  done: string
  /** Asked before it is sent; what is refused is shown beside its fields, or else beside the button. */
  checks: Checks
  send: () => Promise<unknown>
  /** What the refusal holds besides sentences, as rows to look at before asking again. */
  onRefused?: (error: ApiError) => void
  onClose: () => void
  disabled?: boolean
  children: ReactNode
}

/** A form in a dialog that asks for something. */
export function AskDialog({
  title,
  submit,
  done,
  checks,
  send,
  onRefused,
  onClose,
  disabled = false,
  children,
}: Props) {
  const { t } = useDeskWords()
  const queries = useQueryClient()
  const sending = useMutation<unknown, ApiError>({
    mutationFn: send,
    onSuccess: () => {
      notifications.show({ color: 'green', message: done })
      void queries.invalidateQueries()
      onClose()
    },
    onError: (error) => {
      checks.refuse(error)
      onRefused?.(error)
    },
  })
  return (
    <Modal
      opened
      onClose={() => !sending.isPending && onClose()}
      size="lg"
      title={title}
      closeButtonProps={{ 'aria-label': t('common:actions.close') }}
    >
      <form
        {...checks.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (!disabled && !sending.isPending && checks.isReady()) sending.mutate()
        }}
      >
        <Stack gap="md">
          {children}
          <Failure>{checks.unsaid}</Failure>
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
