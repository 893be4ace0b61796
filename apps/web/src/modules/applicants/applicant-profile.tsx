import { Alert, Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { readRegistration } from '#domain/admissions/endpoints.ts'
import {
  type ProfileField,
  profileFieldsOf,
  profileSections,
  type ProfileSection as Section,
} from '#domain/applicants/profile.ts'
import {
  changeApplicantProfile,
  listProfileChanges,
  readApplicantProfile,
  type StaffProfile,
} from '#domain/applicants/staff-endpoints.ts'
import { dateTime } from '#locales/format.ts'
import { keyOf, useEndpoint } from '#web/api/query.ts'
import { sendOnce } from '#web/api/send.ts'
import { useChecks } from '#web/api/use-checks.ts'
import { boundTo } from '#web/api/use-form.ts'
import { useSession } from '#web/shell/session/session.tsx'
import { Card } from '#web/ui/card.tsx'
import { useValues } from '#web/ui/form/use-values.ts'
import { LoadingOrFailed } from '#web/ui/states/missing.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import classes from './applicant-profile.module.css'
import { ProfileSection } from './profile/profile-section.tsx'
import { useAnswer } from './use-answer.ts'

type Props = {
  registrationId: string
  /** Shows the history of changes below the data. */
  history?: boolean
}

/** An applicant's profile for staff, beside a document or as its own page. */
export function ApplicantProfile({ registrationId, history }: Props) {
  const { t } = useTranslation('applicants')
  const { may } = useSession()
  const answerOf = useAnswer()
  const [editedSection, setEditedSection] = useState<Section | null>(null)
  const { data, error, refetch } = useEndpoint(
    readApplicantProfile,
    { params: { id: registrationId } },
    { refetchOnWindowFocus: false },
  )
  if (!data) return <LoadingOrFailed error={error} onRetry={refetch} rows={6} />
  const profile = data.data
  return (
    <Stack gap="md">
      <Card title={t('office.title')}>
        {profile.nikWarnings.map((warning) => (
          <Alert key={warning} color="orange" mb="sm">
            {t(`nikWarning.${warning}`)}
          </Alert>
        ))}
        {profileSections.map((section) => (
          <section key={section} className={classes.section} aria-label={t(`section.${section}`)}>
            <Group justify="space-between" mb={4}>
              <Text fw={600}>{t(`section.${section}`)}</Text>
              {may('pendaftaran-profile-update') && (
                <Button
                  size="compact-sm"
                  variant="default"
                  aria-label={t('office.editTitle', { section: t(`section.${section}`) })}
                  onClick={() => setEditedSection(section)}
                >
                  {t('office.edit')}
                </Button>
              )}
            </Group>
            <dl className={classes.facts}>
              {profileFieldsOf[section].map((field: ProfileField) => (
                <div key={field}>
                  <dt>{t(`field.${field}`)}</dt>
                  <dd>{answerOf(profile, field) ?? '—'}</dd>
                </div>
              ))}
              {section === 'contact' && (
                <div>
                  <dt>{t('field.email')}</dt>
                  <dd>{profile.email}</dd>
                </div>
              )}
            </dl>
          </section>
        ))}
        {profile.nikMasked && (
          <Text size="sm" c="dimmed" mt="md">
            {t('office.nikMasked')}
          </Text>
        )}
      </Card>
      {history && <Changes registrationId={registrationId} />}
      {editedSection && (
        <Correction
          registrationId={registrationId}
          section={editedSection}
          profile={profile}
          onClose={() => setEditedSection(null)}
        />
      )}
    </Stack>
  )
}

type CorrectionProps = { registrationId: string; section: Section; profile: StaffProfile; onClose: () => void }

/** The applicant's form for one group; staff must give a reason to save it. */
function Correction({ registrationId, section, profile, onClose }: CorrectionProps) {
  const { t } = useTranslation(['applicants', 'common'])
  const queries = useQueryClient()
  const inputs = useValues({ reason: '' })
  const reason = inputs.values.reason.trim()
  // Checks only the reason, because the section checks the answers.
  const checks = boundTo(useChecks(changeApplicantProfile, { version: profile.version, reason }), inputs)
  const reread = () => {
    for (const endpoint of [readApplicantProfile, listProfileChanges, readRegistration])
      void queries.invalidateQueries({ queryKey: keyOf(endpoint) })
  }
  return (
    <Modal
      opened
      size="lg"
      onClose={onClose}
      title={t('office.editTitle', { section: t(`section.${section}`) })}
      closeButtonProps={{ 'aria-label': t('common:actions.close') }}
    >
      <ProfileSection
        bare
        section={section}
        profile={profile}
        onCancel={onClose}
        onSaved={() => {
          notifications.show({ color: 'green', message: t('office.saved') })
          reread()
          onClose()
        }}
        staff={{
          nikMasked: profile.nikMasked,
          send: ({ guardianConsent: _, ...body }) =>
            sendOnce(changeApplicantProfile, {
              params: { id: registrationId },
              body: { ...body, reason },
            }),
          reread,
          ready: checks.isReady,
          reason: (
            <div {...checks.form}>
              <Textarea
                label={t('office.reason')}
                description={t('office.reasonHelp')}
                required
                {...checks.text('reason')}
              />
            </div>
          ),
        }}
      />
    </Modal>
  )
}

/** History of the profile: who changed which field, when, why, from which value to which. */
function Changes({ registrationId }: { registrationId: string }) {
  const { t } = useTranslation(['applicants', 'audit'])
  const { language } = useSurroundings()
  const { data, error, refetch } = useEndpoint(listProfileChanges, { params: { id: registrationId } })
  return (
    <Card title={t('office.history')}>
      {!data && <LoadingOrFailed error={error} onRetry={refetch} rows={3} />}
      {data?.data.length === 0 && <Text c="dimmed">{t('office.noHistory')}</Text>}
      <Stack gap="md">
        {data?.data.map((entry) => (
          <div key={entry.id}>
            <Text size="sm" fw={600}>
              {entry.actor}
              {entry.role && ` (${entry.role})`} · {dateTime(entry.at, language)}
            </Text>
            {entry.reason && <Text size="sm">{entry.reason}</Text>}
            {entry.changes.map(({ field, before, after }) => (
              <Text size="sm" key={field} style={{ overflowWrap: 'anywhere' }}>
                {t(`field.${field}` as 'field.fullName', { defaultValue: field })}:{' '}
                <s>{before ?? t('office.nothing')}</s> <span aria-hidden="true">→</span> {after ?? t('office.nothing')}
              </Text>
            ))}
          </div>
        ))}
      </Stack>
    </Card>
  )
}
