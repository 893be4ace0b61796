import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Language } from '#entities/define/language.ts'
import { useLanguage } from '#web/shell/language.ts'
import classes from './privacy-notice.module.css'

const parts = ['what', 'why', 'who', 'long', 'rights'] as const

type Props = { version: string | undefined; ownNotice: Readonly<Record<Language, string>> | undefined }

/** The full privacy notice beside its checkbox, not behind a link: the university's, otherwise the built-in one. */
export function PrivacyNotice({ version, ownNotice }: Props) {
  const { t } = useTranslation('accounts')
  const language = useLanguage()
  const ownText = ownNotice?.[language] || ownNotice?.id || ownNotice?.en
  return (
    <details className={classes.notice}>
      <summary>{t('signUp.readNotice')}</summary>
      <div className={classes.text}>
        {ownText ? (
          <Text size="sm" style={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>
            {ownText}
          </Text>
        ) : (
          parts.map((part) => (
            <section key={part}>
              <Text component="h3" fw={600} size="sm">
                {t(`privacy.${part}`)}
              </Text>
              <Text size="sm">{t(`privacy.${part}Text`)}</Text>
            </section>
          ))
        )}
        {version && (
          <Text size="sm" c="dimmed">
            {t('privacy.version', { version })}
          </Text>
        )}
      </div>
    </details>
  )
}
