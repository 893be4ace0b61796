import { Alert, Radio, Stack, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { listAdmissionYears } from '#domain/admission-year/endpoints.ts'
import { yearAfter } from '#domain/admission-year/next-names.ts'
import type { Answer } from '#domain/endpoint.ts'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import type { YearWizard } from './use-year-wizard.ts'

type Years = Answer<typeof listAdmissionYears>['data']['years']

/** Chooses the year to copy and the name of the new year. */
export function StepSource({ wizard, years }: { wizard: YearWizard; years: Years }) {
  const { t } = useTranslation('admission-year')
  const { plan, yearPreview } = wizard
  const problem = (field: string) =>
    yearPreview?.problems.find((problem) => problem.section === 'year' && problem.field === field)?.message
  if (years.length === 0) return <EmptyState title={t('source.none')} />
  return (
    <Card>
      <Stack>
        <Radio.Group
          label={t('source.from')}
          description={t('source.fromHelp')}
          value={plan.sourceYear}
          wrapperProps={wizard.form.field('sourceYear').wrapperProps}
          error={wizard.form.errorOf('sourceYear') ?? (plan.sourceYear && problem('sourceYear'))}
          onChange={(sourceYear) =>
            // Edits and skipped rows refer to the former source year.
            wizard.change({ sourceYear, academicYear: yearAfter(sourceYear), skip: [], edits: {} })
          }
        >
          <Stack gap="sm" mt="xs">
            {years.map(({ academicYear, waves }) => (
              <Radio key={academicYear} value={academicYear} label={academicYear} description={waves.join(', ')} />
            ))}
          </Stack>
        </Radio.Group>
        {plan.sourceYear && (
          <TextInput
            label={t('source.to')}
            description={t('source.toHelp')}
            value={plan.academicYear}
            maw={240}
            {...wizard.form.field('academicYear')}
            error={wizard.form.errorOf('academicYear') ?? problem('academicYear')}
            onChange={(event) => wizard.change({ academicYear: event.currentTarget.value })}
          />
        )}
        {yearPreview && plan.sourceYear && yearPreview.existingWaves.length > 0 && (
          <Alert color="orange" variant="light">
            {t('source.existing', { year: plan.academicYear, waves: yearPreview.existingWaves.join(', ') })}
          </Alert>
        )}
      </Stack>
    </Card>
  )
}
