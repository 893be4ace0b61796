import { Alert, Checkbox, List, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { permissionNames } from '#domain/access/permissions.ts'
import { sectionRules } from '#domain/admission-year/sections.ts'
import { getEntity } from '#entities/index.ts'
import { useEntityWords } from '#web/resource/words.ts'
import { Card } from '#web/ui/card.tsx'
import { LoadingRows } from '#web/ui/states/loading-rows.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import type { YearWizard } from './use-year-wizard.ts'

/** Selects the sections to copy besides the waves, and names the data that needs no copy. */
export function StepContents({ wizard }: { wizard: YearWizard }) {
  const { t } = useTranslation('admission-year')
  const { say } = useEntityWords()
  const { language } = useSurroundings()
  const { plan, yearPreview } = wizard
  if (!yearPreview) return <LoadingRows rows={8} />
  const { stays } = yearPreview
  return (
    <Stack>
      <Card title={t('contents.title')}>
        <Stack gap="md">
          {yearPreview.sections
            .filter(({ key }) => key !== 'waves')
            .map((section) => {
              const { rows } = section
              const available =
                section.key === 'tuition' ? rows.reduce((sum, { lines }) => sum + lines.length, 0) : rows.length
              const label = say(getEntity(sectionRules[section.key].entity).label.many)
              const reason =
                section.missing.length > 0
                  ? t('contents.missing', {
                      permissions: section.missing
                        .map((slug) => permissionNames.get(slug)?.[language] ?? slug)
                        .join('; '),
                    })
                  : available === 0
                    ? t('contents.nothing')
                    : null
              return (
                <Checkbox
                  key={section.key}
                  label={`${label} (${t('rows', { count: available })})`}
                  description={[
                    reason ?? t(`contents.${section.key as 'tuition'}`),
                    section.inactive > 0 && t('contents.inactive', { count: section.inactive }),
                  ]
                    .filter(Boolean)
                    .join(' ')}
                  checked={reason === null && plan.contents.includes(section.key)}
                  disabled={reason !== null}
                  onChange={(event) => wizard.choose(section.key, event.currentTarget.checked)}
                />
              )
            })}
        </Stack>
      </Card>
      <Card title={t('contents.stays')}>
        <Text size="sm" mb="xs">
          {t('contents.staysText')}
        </Text>
        <List size="sm" spacing={4}>
          <List.Item>{t('contents.trackFiles', { count: stays.trackFiles })}</List.Item>
          <List.Item>{t('contents.generalPlans', { count: stays.plansForEveryWave })}</List.Item>
          <List.Item>{t('contents.templates')}</List.Item>
          <List.Item>{t('contents.masterRows')}</List.Item>
        </List>
        {stays.plansWithPastDates.length > 0 && (
          <Alert color="orange" variant="light" mt="sm">
            {t('contents.pastPlans', { names: stays.plansWithPastDates.join(', ') })}
          </Alert>
        )}
      </Card>
    </Stack>
  )
}
