import { Accordion, Alert, Anchor, List, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { YearProblem } from '#domain/admission-year/endpoints.ts'
import { pricedSections, sectionRules } from '#domain/admission-year/sections.ts'
import { getEntity } from '#entities/index.ts'
import { useEntityWords } from '#web/resource/words.ts'
import { Card } from '#web/ui/card.tsx'
import { LoadingRows } from '#web/ui/states/loading-rows.tsx'
import { PlannedRows } from './planned-rows.tsx'
import type { WizardStep, YearWizard } from './use-year-wizard.ts'

const stepOf = (section: YearProblem['section']): WizardStep =>
  section === 'year'
    ? 'source'
    : section === 'waves'
      ? 'dates'
      : (pricedSections as readonly string[]).includes(section)
        ? 'prices'
        : 'check'

/** Lists every row to be written and every problem that prevents it. */
export function StepCheck({ wizard }: { wizard: YearWizard }) {
  const { t } = useTranslation('admission-year')
  const { say, labelOf } = useEntityWords()
  const { yearPreview, plan } = wizard
  if (!yearPreview) return <LoadingRows rows={8} />
  const sections = yearPreview.sections.filter(({ chosen, rows }) => chosen && rows.length > 0)
  const nameOf = (problem: YearProblem) => {
    if (problem.section === 'year') return plan.academicYear
    const entity = getEntity(sectionRules[problem.section].entity)
    return [say(entity.label.one), problem.title, problem.field in entity.fields && labelOf(entity, problem.field)]
      .filter(Boolean)
      .join(' · ')
  }
  return (
    <Stack>
      {yearPreview.problems.length > 0 ? (
        <Alert
          color="red"
          variant="light"
          role="alert"
          title={t('check.problems', { count: yearPreview.problems.length })}
        >
          <List size="sm" spacing={4}>
            {yearPreview.problems.map((problem) => (
              <List.Item key={`${problem.section}${problem.id}${problem.field}${problem.message}`}>
                {nameOf(problem)}: {problem.message}{' '}
                {stepOf(problem.section) !== 'check' && (
                  <Anchor component="button" type="button" size="sm" onClick={() => wizard.go(stepOf(problem.section))}>
                    {t('check.change')}
                  </Anchor>
                )}
              </List.Item>
            ))}
          </List>
        </Alert>
      ) : (
        <Alert color="green" variant="light">
          {t('check.ready', { year: plan.academicYear })}
        </Alert>
      )}
      <Card title={t('check.title')}>
        <Text size="sm" c="dimmed" mb="sm">
          {t('check.text')}
        </Text>
        <Accordion
          variant="separated"
          multiple
          keepMounted={false}
          defaultValue={[...new Set(yearPreview.problems.map(({ section }) => section))]}
        >
          {sections.map((section) => (
            <Accordion.Item key={section.key} value={section.key}>
              <Accordion.Control>
                {say(getEntity(sectionRules[section.key].entity).label.many)}{' '}
                <Text component="span" c="dimmed">
                  {t('check.of', { count: section.count, all: section.rows.length, context: section.key })}
                </Text>
              </Accordion.Control>
              <Accordion.Panel>
                <PlannedRows section={section} wizard={wizard} />
              </Accordion.Panel>
            </Accordion.Item>
          ))}
        </Accordion>
      </Card>
    </Stack>
  )
}
