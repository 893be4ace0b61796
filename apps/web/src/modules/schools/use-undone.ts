import { notifications } from '@mantine/notifications'
import { useTranslation } from 'react-i18next'

/** Returns a function that says what undoing a merge restored, and what it did not. */
export function useUndone() {
  const { t } = useTranslation('schools')
  return ({ moved, left, restored }: { moved: number; left: number; restored: boolean }) =>
    notifications.show({
      title: t('merge.undoneTitle'),
      message: [
        t('merge.undone', { count: moved }),
        left > 0 && t('merge.left', { count: left }),
        !restored && t('merge.keptEdited'),
      ]
        .filter(Boolean)
        .join(' '),
      color: left > 0 || !restored ? 'orange' : 'green',
      autoClose: 10_000,
    })
}
