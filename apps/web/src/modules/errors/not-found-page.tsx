import { Anchor } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { ErrorState } from '#web/ui/states/error-state.tsx'

export default function NotFoundPage() {
  const { t } = useTranslation('common')
  return (
    <ErrorState title={t('errors.notFoundTitle')} message={t('errors.notFoundText')}>
      <Anchor component={Link} to="/">
        {t('toDashboard')}
      </Anchor>
    </ErrorState>
  )
}
