import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { dateTime } from '#locales/format.ts'
import { Card } from '#web/ui/card.tsx'
import { PageForm } from '#web/ui/form/form.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import classes from './settings.module.css'
import type { Section } from './use-section.ts'

/** Card of one section: its purpose, its fields, and its own save button. */
export function SectionCard({ section, children }: { section: Section; children: ReactNode }) {
  const { t } = useTranslation('settings')
  const { language } = useSurroundings()
  const { edited, dirty, stale, editable } = section
  return (
    <div id={section.section} className={classes.section}>
      <Card title={t(section.section)}>
        <PageForm
          form={section.form}
          submit={editable ? t('save') : null}
          button={{ disabled: !dirty || stale }}
          layOut={(saveButton) => (
            <Group justify="space-between" gap="sm">
              <Text size="xs" c="dimmed">
                {edited?.by && t('edited', { at: dateTime(edited.at, language), by: edited.by })}
              </Text>
              {editable && (
                <Group gap="xs">
                  {dirty && <Button variant="subtle" onClick={section.forget} children={t('reset')} />}
                  {saveButton}
                </Group>
              )}
            </Group>
          )}
        >
          <Text size="sm" c="dimmed">
            {t(`${section.section}Text`)}
          </Text>
          <fieldset disabled={!editable} style={{ border: 0, padding: 0, margin: 0, minInlineSize: 0 }}>
            <Stack gap="md">{children}</Stack>
          </fieldset>
          {stale && (
            <Alert color="yellow" variant="light" role="alert">
              <Stack gap="xs">
                <Text size="sm">{t('stale')}</Text>
                <Group gap="xs">
                  <Button size="compact-md" variant="default" onClick={section.keepMine} children={t('keepMine')} />
                  <Button size="compact-md" variant="default" onClick={section.forget} children={t('takeTheirs')} />
                </Group>
              </Stack>
            </Alert>
          )}
        </PageForm>
      </Card>
    </div>
  )
}
