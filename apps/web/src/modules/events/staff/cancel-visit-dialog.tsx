import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { cancelVisit } from '#domain/events/endpoints.ts'
import type { VisitorRow } from '#domain/events/lists.ts'
import { useForm } from '#web/api/use-form.ts'
import type { DialogEnds } from '#web/list/actions/row-action.ts'
import { DialogForm } from '#web/ui/form/form.tsx'

type Props = { eventId: string; visitor: VisitorRow } & DialogEnds

/** Cancels a visit after explaining the consequences. */
export function CancelVisitDialog({ eventId, visitor: { id, name }, onDone, onClose }: Props) {
  const { t } = useTranslation('events')
  const form = useForm({
    call: cancelVisit,
    params: { id: eventId, visitorId: id },
    done: t('visitors.cancelled'),
    onDone: () => {
      onDone()
      onClose()
    },
  })
  return (
    <DialogForm
      title={t('visitors.cancelTitle', { name })}
      form={form}
      submit={t('visitors.cancel')}
      button={{ color: 'red.9' }}
      onClose={onClose}
    >
      <Text>{t('visitors.cancelText')}</Text>
    </DialogForm>
  )
}
