import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { dismissPair, type SchoolPair } from '#domain/schools/endpoints.ts'
import { sendOnce } from '#web/api/send.ts'
import { useSchoolRefresh } from './use-school-data.ts'

/** Marks a pair of schools as different, or removes that mark. */
export function useDismiss() {
  const { t } = useTranslation('schools')
  const refresh = useSchoolRefresh()
  return useMutation({
    mutationFn: (pair: SchoolPair) =>
      sendOnce(dismissPair, { params: { id: pair.id }, body: { dismissed: !pair.dismissed } }),
    onSuccess: ({ data }) => {
      notifications.show({
        message: t(data.dismissed ? 'pairs.dismissed_done' : 'pairs.reopened_done'),
        color: 'green',
      })
      refresh()
    },
    onError: (error) => notifications.show({ message: error.message, color: 'red' }),
  })
}
