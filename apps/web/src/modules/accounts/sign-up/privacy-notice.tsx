import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import classes from './privacy-notice.module.css'

const parts = ['what', 'why', 'who', 'long', 'rights'] as const

/** The whole privacy notice beside its checkbox, not behind a link. */
export function PrivacyNotice({ version }: { version: string | undefined }) {
  const { t } = useTranslation('accounts')
  return (
    <details className={classes.notice}>
      <summary>{t('signUp.readNotice')}</summary>
      <div className={classes.text}>
        {parts.map((part) => (
          <section key={part}>
            <Text component="h3" fw={600} size="sm">
              {t(`privacy.${part}`)}
            </Text>
            <Text size="sm">{t(`privacy.${part}Text`)}</Text>
          </section>
        ))}
        {version && (
          <Text size="sm" c="dimmed">
            {t('privacy.version', { version })}
          </Text>
        )}
      </div>
    </details>
  )
}
