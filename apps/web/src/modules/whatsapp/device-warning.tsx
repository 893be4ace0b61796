import { Alert } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

/** Warns about the risks of linking a phone, before and during pairing. */
export function DeviceWarning(margins: { mb?: number }) {
  const { t } = useTranslation('whatsapp')
  return (
    <Alert
      {...margins}
      color="orange"
      variant="light"
      title={t('warningTitle')}
      icon={<IconAlertTriangle aria-hidden />}
      styles={{ title: { color: 'var(--mantine-color-text)' } }}
    >
      {t('warning')}
    </Alert>
  )
}
