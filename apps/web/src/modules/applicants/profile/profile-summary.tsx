import { Alert, Anchor, Button, Group, Progress, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { dataSheet, type Profile } from '#domain/applicants/endpoints.ts'
import {
  type ProfileField,
  pathOfProfile,
  profileFieldsOf,
  profileSections,
  requiredProfileFields,
  type ProfileSection as Section,
  sectionOfField,
} from '#domain/applicants/profile.ts'
import { longDate, wholePercent } from '#locales/format.ts'
import { download } from '#web/api/client.ts'
import { useAnswer } from '#web/modules/applicants/use-answer.ts'
import { useProfile } from '#web/modules/applicants/use-profile.ts'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { LoadingOrFailed } from '#web/ui/states/missing.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { ProfileSection } from './profile-section.tsx'
import classes from './profile-summary.module.css'
import { SpecialNeedsCard } from './special-needs-card.tsx'
import { useGiven } from './use-given.ts'

/** The whole profile, links to missing answers, and the data sheet to print. */
export function ProfileSummary() {
  const { t } = useTranslation('applicants')
  const { language } = useSurroundings()
  const { data, error, refetch } = useProfile()
  const [params, setParams] = useSearchParams()
  const registrationId = params.get('for') ?? undefined
  const editedSection = profileSections.find((section) => section === params.get('edit'))
  const answersOfLead = useGiven(data?.data)
  if (!data || answersOfLead === undefined)
    return <LoadingOrFailed error={error} onRetry={refetch} rows={6} height={44} />
  const profile = data.data
  if (!profile)
    return (
      <Card>
        <EmptyState title={t('overview.empty')}>
          <Button component={Link} to="/account/settings">
            {t('overview.start')}
          </Button>
        </EmptyState>
      </Card>
    )
  const missingFields = profile.missing as ProfileField[]
  const registrationParam = registrationId ? { for: registrationId } : undefined
  const closeSection = () => setParams({ ...registrationParam }, { replace: true, preventScrollReset: true })
  /** Opens the next incomplete group until nothing is missing. */
  const goOn = (savedProfile: Profile) => {
    const next = profileSections.find(
      (section) => section !== editedSection && savedProfile.missing.some((field) => sectionOfField(field) === section),
    )
    if (next) setParams({ edit: next, ...registrationParam }, { replace: true })
    else setParams({ complete: '1', ...registrationParam }, { replace: true })
  }
  const missesElsewhere = missingFields.some((field) => sectionOfField(field) !== editedSection)

  // Shows a single group of questions per screen.
  if (editedSection)
    return (
      <ProfileSection
        key={editedSection}
        section={editedSection}
        field={params.get('field') ?? missingFields.find((field) => sectionOfField(field) === editedSection)}
        profile={profile}
        onSaved={goOn}
        onCancel={closeSection}
        saveLabel={missesElsewhere ? t('form.saveAndContinue') : undefined}
        given={answersOfLead[editedSection]}
      />
    )
  return (
    <Stack gap="lg">
      {(params.has('complete') || registrationId) && (
        <WayOn missing={missingFields.length} registrationId={registrationId} arrived={params.has('complete')} />
      )}
      <Head profile={profile} isComplete={missingFields.length === 0} />
      {missingFields.length > 0 && <MissingAnswers fields={missingFields} registrationId={registrationId} />}
      {profile.nikWarnings.map((warning) => (
        <Alert key={warning} color="orange">
          {t(`nikWarning.${warning}`)}
        </Alert>
      ))}

      {profileSections.map((section) => (
        <SectionAnswers key={section} section={section} profile={profile} registrationId={registrationId} />
      ))}
      <SpecialNeedsCard />
      <Text size="sm" c="dimmed">
        {t('overview.updated', { date: longDate(profile.updatedAt, language) })}
      </Text>
    </Stack>
  )
}

function Head({ profile, isComplete }: { profile: Profile; isComplete: boolean }) {
  const { t } = useTranslation('applicants')
  const { language } = useSurroundings()
  const print = useMutation({ mutationFn: () => download(dataSheet.path, 'data-sheet.pdf', { language }) })
  return (
    <Card>
      <div className={classes.head}>
        {profile.photoThumbnailUrl && (
          <img src={profile.photoThumbnailUrl} alt={t('photo.alt')} className={classes.photo} />
        )}
        <Stack gap="xs" className={classes.words}>
          <Text fw={650} size="xl">
            {profile.fullName}
          </Text>
          <Text c="dimmed">{profile.email}</Text>
          <Text fw={600}>{t('overview.completeness', { share: wholePercent(profile.completeness / 100) })}</Text>
          <Progress
            value={profile.completeness}
            color={isComplete ? 'green' : 'primary'}
            aria-label={t('overview.completeness', { share: wholePercent(profile.completeness / 100) })}
            maw={400}
          />
          {isComplete && <Text>{t('overview.allThere')}</Text>}
          <Group className="no-print">
            <Button variant="default" loading={print.isPending} onClick={() => print.mutate()}>
              {t('overview.print')}
            </Button>
          </Group>
          {print.error && <Alert color="red">{print.error.message}</Alert>}
        </Stack>
      </div>
    </Card>
  )
}

type MissingProps = { fields: readonly ProfileField[]; registrationId: string | undefined }

function MissingAnswers({ fields, registrationId }: MissingProps) {
  const { t } = useTranslation('applicants')
  return (
    <Card title={t('overview.missingTitle')}>
      <ul className={classes.missing}>
        {fields.map((field) => (
          <li key={field}>
            <Anchor component={Link} to={pathOfProfile(sectionOfField(field), field, registrationId)}>
              {t(`field.${field}`)}
            </Anchor>
          </li>
        ))}
      </ul>
    </Card>
  )
}

type SectionProps = { section: Section; profile: Profile; registrationId: string | undefined }

/** Answers of one group; required ones are listed even if unanswered. */
function SectionAnswers({ section, profile, registrationId }: SectionProps) {
  const { t } = useTranslation('applicants')
  const answerOf = useAnswer()
  const required: readonly string[] = requiredProfileFields(profile)
  return (
    <Card
      title={t(`section.${section}`)}
      actions={
        <Anchor
          component={Link}
          to={pathOfProfile(section, undefined, registrationId)}
          aria-label={`${t('overview.edit')}: ${t(`section.${section}`)}`}
        >
          {t('overview.edit')}
        </Anchor>
      }
    >
      <dl className={classes.facts}>
        {profileFieldsOf[section]
          .filter((field: ProfileField) => answerOf(profile, field) !== null || required.includes(field))
          .map((field: ProfileField) => (
            <div key={field}>
              <dt>{t(`field.${field}`)}</dt>
              <dd>{answerOf(profile, field) ?? <em>{t('overview.notGiven')}</em>}</dd>
            </div>
          ))}
      </dl>
    </Card>
  )
}

type WayOnProps = {
  missing: number
  registrationId: string | undefined
  /** True right after the last group was saved. */
  arrived: boolean
}

/** Links back to the registration that asked for the data, otherwise to the next step on the dashboard. */
function WayOn({ missing, registrationId, arrived }: WayOnProps) {
  const { t } = useTranslation('applicants')
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (arrived) box.current?.focus()
  }, [arrived])
  const complete = missing === 0
  return (
    <Alert color={complete ? 'green' : 'orange'} role="status" ref={box} tabIndex={-1}>
      <Stack gap="sm" align="flex-start">
        <Text>{complete ? t('overview.allThere') : t('form.stillMissing', { count: missing })}</Text>
        <Button
          component={Link}
          to={registrationId ? `/pendaftaran/create?id=${registrationId}&step=check` : '/dashboard'}
          variant={complete ? 'filled' : 'default'}
          mih={44}
        >
          {t(registrationId ? 'overview.toRegistration' : 'overview.toNextStep')}
        </Button>
      </Stack>
    </Alert>
  )
}
