import { Alert, Button, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { correctFeederStudent, type FeederStudent, readFeederStudent } from '#domain/students/feeder/endpoints.ts'
import { dateTime } from '#locales/format.ts'
import { useEndpoint } from '#web/api/query.ts'
import { RecordButtons } from '#web/list/actions/row-buttons.tsx'
import { LoadingRecord } from '#web/shell/record-failed.tsx'
import { useSession } from '#web/shell/session/session.tsx'
import { usePageTitle } from '#web/shell/title.tsx'
import { Card } from '#web/ui/card.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { StatusDot } from '#web/ui/text/status-dot.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { AnswersCard } from './answers-card.tsx'
import { useFeederActions } from './feeder-actions.tsx'
import { stateTones } from './feeder-tones.ts'
import { type Correction, FieldsCard } from './fields-card.tsx'
import { OwnDialog } from './own-dialog.tsx'
import { RegionDialog } from './region-dialog.tsx'

/** Polling interval while a student is being sent. */
const refetchMs = 3_000

/** A student with every field the ministry requires, problems, and sending outcomes. */
export default function FeederStudentPage() {
  const { registrationId = '' } = useParams()
  const { t } = useTranslation('feeder')
  const { may } = useSession()
  const [correction, setCorrection] = useState<Correction>()
  const { data, error, refetch } = useEndpoint(
    readFeederStudent,
    { params: { registrationId } },
    { refetchInterval: ({ state }) => (state.data?.data.state === 'waiting' ? refetchMs : false) },
  )
  const actions = useFeederActions<FeederStudent>()
  const student = data?.data
  usePageTitle(student?.name)
  if (!student) return <LoadingRecord error={error} onRetry={refetch} rows={8} />
  const { fields, rows } = student
  const problems = fields.filter(({ problem }) => problem !== null)
  const close = () => setCorrection(undefined)
  return (
    <>
      <PageHeader
        title={student.name}
        description={[student.npm, student.programme, student.code].join(' · ')}
        actions={
          <>
            {may(correctFeederStudent.access) && (
              <Button variant="default" onClick={() => setCorrection('own')}>
                {t('own.open')}
              </Button>
            )}
            <RecordButtons actions={actions} row={student} />
          </>
        }
      />
      <Stack>
        <StateCard student={student} />
        {problems.length > 0 ? (
          <FieldsCard
            student={student}
            title={t('student.problems', { count: problems.length })}
            fields={problems}
            onCorrect={setCorrection}
          />
        ) : (
          <Alert color="green" variant="light" role="status" children={t('student.noProblems')} />
        )}
        <FieldsCard student={student} title={t('student.fields')} fields={fields} onCorrect={setCorrection} />
        <AnswersCard answers={student.answers} />
      </Stack>
      {correction === 'own' && <OwnDialog student={student} onClose={close} />}
      {correction === 'region' && rows.district && <RegionDialog district={rows.district} onClose={close} />}
    </>
  )
}

function StateCard({ student: { target, state, sending, npm, identityHidden } }: { student: FeederStudent }) {
  const { t } = useTranslation('feeder')
  const { language } = useSurroundings()
  const time = (moment: string | null | undefined) => moment && dateTime(moment, language)
  const isHalf = sending?.feederStudentId && !sending.feederRegistrationId
  const isRenumbered = sending?.sentNpm && sending.sentNpm !== npm
  return (
    <Card title={t('student.checked', { target: t(`target.${target}`) })}>
      <Stack gap="sm">
        <StatusDot tone={stateTones[state]} label={t(`state.${state}`)} />
        {identityHidden && (
          <Text size="sm" c="dimmed">
            {t('student.hidden')}
          </Text>
        )}
        {isHalf && <Alert color="orange" variant="light" children={t('student.half')} />}
        {isRenumbered && (
          <Alert color="orange" variant="light" children={t('student.numberChanged', { old: sending.sentNpm })} />
        )}
        {sending && (
          <Facts
            facts={[
              [t('student.requestedAt'), time(sending.requestedAt)],
              [t('student.sentAt'), time(sending.sentAt)],
              ...(sending.refusedAt
                ? ([
                    [t('student.refusedAt'), time(sending.refusedAt)],
                    [t('column.outcome'), sending.reason && t(`outcome.${sending.reason}`)],
                    [t('column.detail'), sending.detail],
                  ] as const)
                : []),
              [t('student.feederStudentId'), sending.feederStudentId],
              [t('student.feederRegistrationId'), sending.feederRegistrationId],
            ]}
          />
        )}
      </Stack>
    </Card>
  )
}
