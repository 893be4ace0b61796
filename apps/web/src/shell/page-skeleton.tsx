import { Skeleton, Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'

/** Placeholder in the rough shape of a page until its script arrives. */
export function PageSkeleton() {
  const { t } = useTranslation('common', { useSuspense: false })
  return (
    <Stack gap="lg" aria-busy="true" aria-label={t('loading')} role="status">
      <Skeleton height={32} width="40%" />
      <Skeleton height={120} />
      <Skeleton height={16} />
      <Skeleton height={16} width="80%" />
      <Skeleton height={16} width="60%" />
    </Stack>
  )
}
