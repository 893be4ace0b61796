import { Alert, Anchor, Button, Group, Stack, Text, Timeline } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router'
import {
  downloadCards,
  issueNumber,
  type StudentRecord,
  showStudent,
  withdrawNumber,
} from '#domain/students/endpoints.ts'
import { rupiah } from '#locales/format.ts'
import { pathOf } from '#web/api/client.ts'
import { useEndpoint } from '#web/api/query.ts'
import { useDownload } from '#web/api/use-download.ts'
import { useForm } from '#web/api/use-form.ts'
import { ReasonDialog } from '#web/list/actions/reason-dialog.tsx'
import { LoadingRecord } from '#web/shell/record-failed.tsx'
import { useSession } from '#web/shell/session/session.tsx'
import { usePageTitle } from '#web/shell/title.tsx'
import { Card } from '#web/ui/card.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { DialogForm } from '#web/ui/form/form.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { DateText } from '#web/ui/text/date-text.tsx'
import { PrintCardsDialog } from './print-cards-dialog.tsx'

type Dialog = 'issue' | 'print' | 'withdraw'

/** One student: number, cards and their history. */
export default function StudentPage() {
  const { id = '' } = useParams()
  const { t } = useTranslation(['students', 'staff'])
  const { may } = useSession()
  const [dialog, setDialog] = useState<Dialog | null>(null)
  const { data: answer, error, refetch } = useEndpoint(showStudent, { params: { registrationId: id } })
  const student = answer?.data
  usePageTitle(student?.name)
  if (!student) return <LoadingRecord error={error} onRetry={refetch} rows={6} />
  const ends = { onDone: () => void refetch(), onClose: () => setDialog(null) }
  return (
    <>
      <PageHeader
        title={student.name}
        description={student.npm ? `${t('npm')} ${student.npm}` : t('record.noNumber')}
        actions={
          may(issueNumber.access) && (
            <Group gap="xs">
              {!student.npm && (
                <Button
                  disabled={student.untilNumber > 0}
                  onClick={() => setDialog('issue')}
                  children={t('act.issue')}
                />
              )}
              {student.npm && (
                <Button disabled={!student.hasPhoto} onClick={() => setDialog('print')} children={t('act.print')} />
              )}
              {student.npm && (
                <Button variant="default" onClick={() => setDialog('withdraw')}>
                  {t('act.withdraw')}
                </Button>
              )}
            </Group>
          )
        }
      />
      <Stack>
        {!student.npm && student.untilNumber > 0 && (
          <Alert color="yellow" variant="light">
            {t('record.missing', { amount: rupiah(student.untilNumber) })}
          </Alert>
        )}
        {student.npm && !student.hasPhoto && (
          <Alert color="yellow" variant="light">
            {t('record.noPhoto')}
          </Alert>
        )}
        <Card>
          <Stack>
            <Facts
              facts={[
                [t('npm'), student.npm],
                [t('issuedAt'), student.issuedAt && <DateText key="at" value={student.issuedAt} as="datetime" />],
                [t('staff:column.code'), student.code],
                [t('staff:column.programme'), student.programme],
                [t('staff:column.classProgramme'), student.classProgramme],
                [t('staff:column.wave'), student.wave],
                [t('staff:column.status'), t(`staff:status.${student.status}`)],
              ]}
            />
            {may('pendaftaran-view') && (
              <Anchor component={Link} to={`/pendaftaran/${id}`}>
                {t('record.registration')}
              </Anchor>
            )}
          </Stack>
        </Card>
        <History history={student.history} standing={student.npm} />
      </Stack>
      {dialog === 'print' && <PrintCardsDialog rows={[{ id }]} {...ends} />}
      {dialog === 'issue' && <IssueDialog student={student} {...ends} />}
      {dialog === 'withdraw' && student.npm && <WithdrawDialog student={student} npm={student.npm} {...ends} />}
    </>
  )
}

/** History of numbers and cards; cards for `standing`, the current number, can be printed again. */
function History({ history, standing }: Pick<StudentRecord, 'history'> & { standing: string | null }) {
  const { t } = useTranslation('students')
  const cards = useDownload()
  return (
    <Card title={t('record.history')}>
      {history.length === 0 && <Text c="dimmed">{t('record.none')}</Text>}
      <Timeline bulletSize={14} lineWidth={2}>
        {history.map(({ event, npm, at, by, reason, copy, printId }) => (
          <Timeline.Item key={`${event} ${npm} ${copy ?? 0}`} title={`${t(`record.event.${event}`)} · ${npm}`}>
            <Text size="sm" c="dimmed">
              <DateText value={at} as="datetime" /> · {by ? t('record.by', { name: by }) : t('record.bySystem')}
              {copy !== null && ` · ${t('record.copy', { copy })}`}
            </Text>
            {reason && <Text size="sm">{reason}</Text>}
            {printId && npm === standing && (
              <Button
                size="compact-sm"
                variant="default"
                mt={4}
                onClick={() => cards.start(pathOf(downloadCards.path, { id: printId }), `${printId.slice(0, 8)}.pdf`)}
              >
                {t('record.download')}
              </Button>
            )}
          </Timeline.Item>
        ))}
      </Timeline>
    </Card>
  )
}

type DialogProps = { student: StudentRecord; onDone: () => void; onClose: () => void }

function IssueDialog({ student, onDone, onClose }: DialogProps) {
  const { t } = useTranslation('students')
  const form = useForm({
    call: issueNumber,
    params: { registrationId: student.registrationId },
    body: {},
    done: ({ data }: { data: { npm: string } }) => t('issue.done', { number: data.npm }),
    onDone: () => {
      onDone()
      onClose()
    },
  })
  return (
    <DialogForm form={form} title={t('act.issue')} submit={t('act.issue')} onClose={onClose}>
      <Text>{t('issue.text', { name: student.name })}</Text>
    </DialogForm>
  )
}

function WithdrawDialog({ student, npm, ...ends }: DialogProps & { npm: string }) {
  const { t } = useTranslation('students')
  return (
    <ReasonDialog
      call={withdrawNumber}
      params={{ registrationId: student.registrationId }}
      body={{ npm }}
      title={`${t('act.withdraw')}: ${npm}`}
      submit={t('act.withdraw')}
      danger
      label={t('withdraw.reason')}
      description={t('withdraw.reasonHelp')}
      done={t('withdraw.done', { number: npm })}
      {...ends}
    >
      <Text>{t('withdraw.text', { number: npm, name: student.name })}</Text>
    </ReasonDialog>
  )
}
