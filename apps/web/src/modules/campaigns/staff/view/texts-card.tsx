import { Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Campaign } from '#domain/campaigns/endpoints.ts'
import { templateFields } from '#domain/messaging/placeholders.ts'
import { Card } from '#web/ui/card.tsx'
import classes from './view.module.css'

/** Shows the campaign's texts in both languages, with placeholders unfilled. */
export function TextsCard({ campaign }: { campaign: Campaign }) {
  const { t } = useTranslation(['send', 'campaigns'])
  const { template } = campaign
  return (
    <Card title={t('view.texts')}>
      <div className={classes.texts}>
        {(['id', 'en'] as const).map((language) => {
          const { subject, body } = templateFields[language]
          const ownText = campaign[body]
          return (
            <Stack key={language} gap="xs">
              <Text size="sm" c="dimmed">
                {t(`campaigns:language.${language}`)}
              </Text>
              {ownText && (
                <div lang={language}>
                  <Text fw={600}>{campaign[subject]}</Text>
                  <Text className={classes.body}>{ownText}</Text>
                </div>
              )}
              {template && (
                <div>
                  <Text size="sm" c="dimmed">
                    {t('view.template', { name: template.name })}
                  </Text>
                  <Text className={classes.body} lang={language}>
                    {template[body]}
                  </Text>
                </div>
              )}
            </Stack>
          )
        })}
      </div>
    </Card>
  )
}
