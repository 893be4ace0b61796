import { Anchor, Avatar, Button, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, Navigate, useParams, useSearchParams } from 'react-router'
import { readRegistration } from '#domain/admissions/endpoints.ts'
import type { RegistrationDetail } from '#domain/admissions/schemas.ts'
import { useEndpoint } from '#web/api/query.ts'
import { RecordButtons } from '#web/list/actions/row-buttons.tsx'
import { editPath } from '#web/modules/admissions/apply/edit-paths.ts'
import { ProgrammeEditor } from '#web/modules/admissions/apply/programme-editor.tsx'
import { SheetButton } from '#web/modules/admissions/counter/sheet-button.tsx'
import { ApplicantProfile } from '#web/modules/applicants/applicant-profile.tsx'
import { DocumentReview } from '#web/modules/documents/review/document-review.tsx'
import { EvidenceButton } from '#web/modules/evidence/evidence-button.tsx'
import { LettersOfRegistrationCard } from '#web/modules/letters/letters-of-registration.tsx'
import { PaymentsOfRegistration } from '#web/modules/payments/money/payments-of-registration.tsx'
import { PageTabs } from '#web/shell/page-tabs.tsx'
import { LoadingRecord } from '#web/shell/record-failed.tsx'
import { useSession } from '#web/shell/session/session.tsx'
import { usePageTitle, useScreenTitle } from '#web/shell/title.tsx'
import { useWayBack } from '#web/shell/way-back.ts'
import { Card } from '#web/ui/card.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { DateText } from '#web/ui/text/date-text.tsx'
import { Money } from '#web/ui/text/money.tsx'
import { StatusDot } from '#web/ui/text/status-dot.tsx'
import { Notes } from './notes.tsx'
import { useRegistrationActions } from './registration-actions.tsx'
import {
  isSection,
  openTab,
  type RegistrationSection,
  type RegistrationTab,
  registrationTabs,
  tabPath,
} from './registration-tabs.ts'
import { StaffTimeline } from './staff-timeline.tsx'
import { documentsTone, resultTone, statusTone } from './tones.ts'

/** One registration for staff: summary, tabs and all actions. */
export default function StaffRegistrationPage({ section }: { section: RegistrationSection }) {
  const { id = '' } = useParams()
  const { t } = useTranslation(['staff', 'registration'])
  const { may } = useSession()
  const wayBack = useWayBack()
  const [params] = useSearchParams()
  const { data, error, refetch } = useEndpoint(readRegistration, { params: { id } })
  const visibleTabs = registrationTabs.filter(
    (tab) =>
      (tab !== 'letters' || may('surat-view')) &&
      (tab !== 'notes' || may('pendaftaran-note')) &&
      (tab !== 'profile' || may('pendaftaran-profile-view')),
  )
  const tab = openTab(section, params.get('tab'), visibleTabs)
  const title = useScreenTitle()
  const code = data && t('registration:detail.code', { code: data.data.code })
  const above = useMemo(
    () => (code && section !== 'summary' ? [{ title: code, path: tabPath(id, 'summary') }] : []),
    [code, section, id],
  )
  usePageTitle(section === 'summary' ? code : title, above)
  if (isSection(tab) && tab !== section) return <Navigate to={tabPath(id, tab)} replace />
  if (!data) return <LoadingRecord error={error} onRetry={refetch} rows={10} />
  const registration = data.data
  const panels: Record<RegistrationTab, () => React.ReactNode> = {
    summary: () => <Summary registration={registration} />,
    program: () =>
      registration.status === 'draft' && may('pendaftaran-edit') ? (
        <ProgrammeEditor registration={registration} />
      ) : (
        <Choices registration={registration} />
      ),
    profile: () => <ApplicantProfile registrationId={id} history />,
    documents: () => (
      <DocumentReview
        registrationId={id}
        firstId={params.get('document')}
        beside={may('pendaftaran-profile-view') && <ApplicantProfile registrationId={id} />}
      />
    ),
    payments: () => <PaymentsOfRegistration registrationId={id} />,
    test: () => <Test registration={registration} />,
    letters: () => <LettersOfRegistrationCard registrationId={id} />,
    messages: () => <StaffTimeline registrationId={id} onlyKind="message" />,
    timeline: () => <StaffTimeline registrationId={id} />,
    notes: () => <Notes registrationId={id} />,
  }
  return (
    <Stack>
      <Anchor component={Link} {...wayBack('/pendaftaran')} size="sm" style={{ alignSelf: 'flex-start' }}>
        <Group gap={4}>
          <IconArrowLeft size={16} aria-hidden="true" />
          {t('detail.back')}
        </Group>
      </Anchor>
      <Card>
        <Group justify="space-between" align="flex-start">
          <Group wrap="nowrap" align="flex-start">
            <Avatar
              src={registration.applicant.photoUrl}
              alt={t('detail.photo', { name: registration.applicant.name })}
              size={72}
              radius="sm"
            />
            <div>
              <Title order={1} size="h2">
                {registration.applicant.name}
              </Title>
              <Text className="tabular" c="dimmed">
                {registration.code} · {registration.wave.name} · {registration.track.name}
              </Text>
              <Group gap="md" mt={4}>
                <StatusDot tone={statusTone[registration.status]} label={t(`status.${registration.status}`)} />
                <StatusDot
                  tone={documentsTone[registration.documentsState] ?? 'waiting'}
                  label={`${t('column.documents')}: ${t(`documents.${registration.documentsState}`)}`}
                />
                <Result registration={registration} />
              </Group>
              {registration.studentNumber && (
                <Text fw={700} className="tabular" mt={4}>
                  {t('detail.studentNumber')}: {registration.studentNumber}
                </Text>
              )}
            </div>
          </Group>
          <Actions registration={registration} />
        </Group>
      </Card>
      <Group gap="xs" className="no-print">
        {may('berkas-mahasiswa-update') && <EvidenceButton registration={registration} />}
        {may('pendaftaran-counter') && <SheetButton registration={registration} />}
      </Group>
      {may('pendaftaran-edit') && (
        <Group gap="xs" className="no-print">
          {registration.status === 'draft' && (
            <Button component={Link} to={editPath(registration, 'program')} variant="default" size="compact-md">
              {t('registration:detail.editProgramme')}
            </Button>
          )}
          <Button component={Link} to={editPath(registration, 'file')} variant="default" size="compact-md">
            {t('registration:detail.editFiles')}
          </Button>
        </Group>
      )}
      <div>
        <PageTabs
          label={t('registration:detail.sections')}
          current={tabPath(id, tab)}
          tabs={visibleTabs.map((name) => [tabPath(id, name), t(`detail.tabs.${name}`)])}
        />
        {panels[tab]()}
      </div>
    </Stack>
  )
}

function Actions({ registration }: { registration: RegistrationDetail }) {
  const { t } = useTranslation('staff')
  const actions = useRegistrationActions(registration)
  return (
    <RecordButtons actions={actions} row={registration} size="sm" role="group" aria-label={t('detail.actionsTitle')} />
  )
}

function Result({ registration }: { registration: RegistrationDetail }) {
  const { t } = useTranslation('staff')
  const { decision, result } = registration
  if (decision && !decision.published)
    return <StatusDot tone="progress" label={`${t(`decision.${decision.decision}`)} (${t('unpublished')})`} />
  return <StatusDot tone={resultTone[result]} label={t(`result.${result}`)} />
}

function Summary({ registration }: { registration: RegistrationDetail }) {
  const { t } = useTranslation('staff')
  const { applicant, decision } = registration
  const dates = [
    ['created', registration.createdAt],
    ['submitted', registration.submittedAt],
    ['paid', registration.paidAt],
    ['verified', registration.verifiedAt],
    ['decided', registration.decidedAt],
    ['confirmed', registration.confirmedAt],
    ['enrolled', registration.enrolledAt],
  ] as const
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }}>
      <Card title={t('detail.applicant')}>
        <Facts
          facts={[
            [t('column.name'), applicant.name],
            [t('detail.email'), applicant.email],
            [t('detail.phone'), applicant.phone],
            [t('detail.school'), applicant.schoolName],
          ]}
        />
      </Card>
      <Choices registration={registration} />
      <Card title={t('detail.dates')}>
        <Facts
          facts={dates
            .filter(([, date]) => date)
            .map(
              ([name, date]) =>
                [
                  name === 'created' ? t('column.created') : t(`status.${name}`),
                  <DateText key={name} value={date} as="datetime" />,
                ] as const,
            )}
        />
      </Card>
      {decision && (
        <Card title={t('detail.decision')}>
          <Facts
            facts={[
              [t('column.result'), t(`decision.${decision.decision}`)],
              [t('column.programme'), decision.programme?.name],
              [t('staff:reason'), decision.reason],
              [t('status.decided'), <DateText key="at" value={decision.decidedAt} as="datetime" />],
              [t('column.name'), decision.decidedBy && t('detail.decidedBy', { name: decision.decidedBy })],
            ]}
          />
        </Card>
      )}
    </SimpleGrid>
  )
}

function Choices({ registration }: { registration: RegistrationDetail }) {
  const { t } = useTranslation('staff')
  return (
    <Card title={t('detail.choices')}>
      <Facts
        facts={[
          ...registration.choices.map(
            ({ position, name, facultyName }) =>
              [t('detail.choice', { position }), `${name} (${facultyName})`] as const,
          ),
          [t('column.classProgramme'), registration.classProgramme.name],
          [t('detail.entryLevel'), registration.entryLevel.name],
          [
            t('detail.donation'),
            registration.donationAmount === null ? null : <Money amount={registration.donationAmount} />,
          ],
          [t('detail.referral'), registration.referralCode],
        ]}
      />
    </Card>
  )
}

function Test({ registration }: { registration: RegistrationDetail }) {
  const { t } = useTranslation('staff')
  const { seat } = registration
  return (
    <Card title={t('detail.tabs.test')}>
      {seat ? (
        <Facts
          facts={[
            [t('detail.session'), seat.name],
            [t('detail.dates'), <DateText key="date" value={seat.date} as="weekday" />],
            [t('detail.seat'), `${seat.startTime.slice(0, 5)}–${seat.endTime.slice(0, 5)}, ${seat.location}`],
            [t('column.status'), seat.status],
          ]}
        />
      ) : (
        <Text>{t('detail.noTest')}</Text>
      )}
    </Card>
  )
}
