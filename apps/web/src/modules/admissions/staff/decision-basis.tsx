import { Alert, List, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { readDecisionBasis } from '#domain/admissions/endpoints.ts'
import type { DecisionBasis as Basis } from '#domain/admissions/schemas.ts'
import { rupiah, twoDecimals } from '#locales/format.ts'
import { useEndpoint } from '#web/api/query.ts'
import { Facts } from '#web/ui/facts.tsx'
import { LoadingOrFailed } from '#web/ui/states/missing.tsx'

type Props = {
  registrationId: string
  /** Programme to accept for; null if none is chosen yet or the applicant is refused. */
  programmeId: string | null
}

/** Facts for a decision: tests, score and grade, places, documents and fee. */
export function DecisionBasis({ registrationId, programmeId }: Props) {
  const { t } = useTranslation('staff')
  const { data, error, refetch } = useEndpoint(
    readDecisionBasis,
    { params: { id: registrationId }, query: programmeId ? { programmeId } : {} },
    { staleTime: 0 },
  )
  if (error || !data) return <LoadingOrFailed error={error} onRetry={refetch} rows={4} />
  const basis = data.data
  const programme = basis.programmes.find(({ id }) => id === programmeId)
  const problems = programme?.problems ?? []
  return (
    <Stack gap="sm" component="section" aria-label={t('basis.title')}>
      <Text fw={600}>{t('basis.title')}</Text>
      <Facts
        facts={[
          [t('basis.tests'), <Tests key="tests" basis={basis} />],
          [
            t('basis.total'),
            `${basis.total === null ? t('basis.noScore') : twoDecimals(basis.total)}${programme ? ` (${gradeOf(programme.passingGrade)})` : ''}`,
          ],
          [
            t('basis.places'),
            programme
              ? t('basis.placesOf', { left: programme.placesLeft, capacity: programme.capacity })
              : programmeId && t('basis.notOffered'),
          ],
          [
            t('basis.documents'),
            basis.openDocuments.length > 0 ? basis.openDocuments.join(', ') : t('basis.allSettled'),
          ],
          [
            t('basis.fee'),
            basis.fee
              ? t('basis.feePaid', { paid: rupiah(basis.fee.paid), total: rupiah(basis.fee.total) })
              : t('basis.noFee'),
          ],
        ]}
      />
      {(['block', 'warn'] as const).map((mode) => {
        const modeProblems = problems.filter((problem) => problem.mode === mode)
        if (modeProblems.length === 0) return null
        return (
          <Alert
            key={mode}
            color={mode === 'block' ? 'red' : 'orange'}
            variant="light"
            title={t(mode === 'block' ? 'basis.blocked' : 'basis.warned')}
          >
            <List size="sm">
              {modeProblems.map(({ check, sentence }) => (
                <List.Item key={check}>{sentence}</List.Item>
              ))}
            </List>
          </Alert>
        )
      })}
      {(basis.published || basis.waits) && (
        <Alert color={basis.published ? 'orange' : 'blue'} variant="light">
          {t(basis.published ? 'basis.published' : 'basis.waits')}
        </Alert>
      )}
    </Stack>
  )

  function gradeOf(grade: number | null) {
    return grade === null ? t('basis.noGrade') : t('basis.grade', { grade: twoDecimals(grade) })
  }
}

function Tests({ basis: { tests } }: { basis: Basis }) {
  const { t } = useTranslation('staff')
  if (tests.length === 0) return t('basis.noTests')
  return (
    <List size="sm" listStyleType="none">
      {tests.map(({ name, score, passingGrade }) => (
        <List.Item key={name}>
          {name}: {score === null ? t('basis.noScore') : twoDecimals(score)}
          {passingGrade !== null && ` (${t('basis.grade', { grade: twoDecimals(passingGrade) })})`}
        </List.Item>
      ))}
    </List>
  )
}
