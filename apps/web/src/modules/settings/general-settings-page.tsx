import { Alert, Group, Textarea, TextInput } from '@mantine/core'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { checkModes } from '#domain/admissions/decision-checks.ts'
import { touchRules } from '#domain/affiliates/affiliates.ts'
import { type GeneralSettings, readGeneralSettings } from '#domain/settings/endpoints.ts'
import { keysOf, monthNames, numberIssues, timeZones, unlocks } from '#domain/settings/sections.ts'
import { type Language, languages } from '#entities/define/language.ts'
import { timeOfDay } from '#locales/format.ts'
import { useEndpoint } from '#web/api/query.ts'
import { UnsavedGuard } from '#web/resource/form/unsaved-guard.tsx'
import { useScreenTitle } from '#web/shell/title.tsx'
import { bindingsOf } from '#web/ui/form/use-values.ts'
import { PageHeader } from '#web/ui/page-header.tsx'
import { LoadingOrFailed } from '#web/ui/states/missing.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { ChoiceField, NumberField, SwitchField, TextField } from './fields.tsx'
import { ColourField, LogoField } from './look-fields.tsx'
import { NumberFields } from './number-fields.tsx'
import { OfficeDaysField } from './office-days-field.tsx'
import { ReminderField } from './reminder-field.tsx'
import { SectionCard } from './section-card.tsx'
import classes from './settings.module.css'
import { type Section, useSection } from './use-section.ts'

/** The university's identity, branding, numbers and rules; each card is saved separately. */
export default function GeneralSettingsPage() {
  const title = useScreenTitle()
  const answer = useEndpoint(readGeneralSettings)
  return (
    <>
      <PageHeader title={title} />
      {answer.data ? (
        <Sections data={answer.data.data} />
      ) : (
        <LoadingOrFailed error={answer.error} onRetry={answer.refetch} rows={8} />
      )}
    </>
  )
}

function Sections({ data }: { data: GeneralSettings }) {
  const { t } = useTranslation('settings')
  const { language } = useSurroundings()
  const use = (section: Parameters<typeof useSection>[0]) => useSection(section, keysOf(section), data)
  const [identity, look, place, numbers] = [use('identity'), use('look'), use('place'), use('numbers')]
  const [enrolment, decisions, documents] = [use('enrolment'), use('decisions'), use('documents')]
  const [scores, affiliates] = [use('scores'), use('affiliates')]
  const [chat, sending, payments] = [use('chat'), use('sending'), use('payments')]
  const [offers, tests, privacy] = [use('offers'), use('tests'), use('privacy')]
  // The browser follows a link such as #privacy before its card exists, so scroll to it now.
  useEffect(() => document.getElementById(location.hash.slice(1))?.scrollIntoView(), [])
  const sections = [
    identity,
    look,
    place,
    numbers,
    enrolment,
    decisions,
    payments,
    offers,
    tests,
    scores,
    affiliates,
    chat,
    sending,
    documents,
    privacy,
  ]
  return (
    <>
      {!identity.editable && (
        <Alert color="gray" variant="light" mb="md">
          {t('readOnly')}
        </Alert>
      )}
      <div className={classes.grid}>
        <div className={classes.column}>
          <SectionCard section={identity}>
            <TextField section={identity} name="universityName" />
            <TextField section={identity} name="universityShortName" help={t('shortNameHelp')} />
            <TextField section={identity} name="address" lines={2} />
            <Group grow preventGrowOverflow={false} align="flex-start">
              <TextField section={identity} name="phone" type="tel" />
              <TextField section={identity} name="email" type="email" />
            </Group>
            <TextField section={identity} name="website" type="url" />
          </SectionCard>
          <SectionCard section={look}>
            <LogoField data={data} editable={look.editable} />
            <ColourField section={look} />
          </SectionCard>
          <SectionCard section={place}>
            <ChoiceField
              section={place}
              name="timeZone"
              choices={timeZones.map((value) => ({
                value,
                label: t(`zones.${value}`),
                description: t('nowThere', { time: timeOfDay(new Date(), language, value) }),
              }))}
            />
            <ChoiceField
              section={place}
              name="monthNames"
              choices={monthNames.map((value) => ({ value, label: t(`months.${value}`) }))}
            />
          </SectionCard>
        </div>
        <div className={classes.column}>
          <SectionCard section={numbers}>
            <NumberFields section={numbers} />
          </SectionCard>
          <SectionCard section={enrolment}>
            <ChoiceField
              section={enrolment}
              name="enrolmentUnlock"
              choices={unlocks.map((value) => ({ value, label: t(`unlock.${value}`) }))}
            />
            {enrolment.form.values.enrolmentUnlock === 'share' && (
              <NumberField section={enrolment} name="enrolmentUnlockShare" suffix=" %" help={t('numberShareHelp')} />
            )}
            <SwitchField section={enrolment} name="promiseUnlocks" help={t('promiseUnlocksHelp')} />
            <ChoiceField
              section={enrolment}
              name="studentNumberIssue"
              choices={numberIssues.map((value) => ({ value, label: t(`issue.${value}`) }))}
            />
            <NumberField section={enrolment} name="cardShare" suffix=" %" help={t('cardShareHelp')} />
          </SectionCard>
          <SectionCard section={decisions}>
            {(['acceptWithoutTest', 'acceptBelowGrade', 'acceptWithOpenDocuments', 'acceptWithOpenFee'] as const).map(
              (name) => (
                <ChoiceField
                  key={name}
                  section={decisions}
                  name={name}
                  choices={checkModes.map((value) => ({ value, label: t(`checkMode.${value}`) }))}
                />
              ),
            )}
          </SectionCard>
          <SectionCard section={payments}>
            <NumberField section={payments} name="proofAnswerHours" help={t('proofAnswerHoursHelp')} />
          </SectionCard>
          <SectionCard section={offers}>
            <NumberField section={offers} name="offerDays" help={t('offerDaysHelp')} />
            <SwitchField section={offers} name="programmeChangeRequests" help={t('programmeChangeRequestsHelp')} />
            <SwitchField section={offers} name="placesOnPublicPage" help={t('placesOnPublicPageHelp')} />
          </SectionCard>
          <SectionCard section={tests}>
            <NumberField section={tests} name="testOfferHours" help={t('testOfferHoursHelp')} />
            <NumberField section={tests} name="testOfferStopHours" help={t('testOfferStopHoursHelp')} />
            <ReminderField section={tests} />
          </SectionCard>
          <SectionCard section={scores}>
            <NumberField section={scores} name="assessorDifference" suffix=" %" help={t('assessorDifferenceHelp')} />
          </SectionCard>
          <SectionCard section={affiliates}>
            <ChoiceField
              section={affiliates}
              name="touchRule"
              choices={touchRules.map((value) => ({ value, label: t(`touchRules.${value}`) }))}
            />
            <NumberField section={affiliates} name="commissionTax" suffix=" %" help={t('commissionTaxHelp')} />
          </SectionCard>
          <SectionCard section={chat}>
            <OfficeDaysField section={chat} />
            <TextField section={chat} name="chatFrom" type="time" />
            <TextField section={chat} name="chatUntil" type="time" />
            <NumberField section={chat} name="chatAnswerMinutes" suffix={` ${t('minutes')}`} />
            <NumberField section={chat} name="chatReturnMinutes" suffix={` ${t('minutes')}`} />
            <NumberField section={chat} name="chatTellMinutes" suffix={` ${t('minutes')}`} />
          </SectionCard>
          <SectionCard section={sending}>
            <NumberField section={sending} name="secondPersonAbove" help={t('secondPersonAboveHelp')} />
            <NumberField section={sending} name="mailsPerMinute" />
            <NumberField section={sending} name="mailsPerMinutePerDomain" help={t('mailsPerMinutePerDomainHelp')} />
            <NumberField section={sending} name="mailsPerDay" help={t('mailsPerDayHelp')} />
            <SwitchField section={sending} name="quietHours" help={t('quietHoursHelp')} />
          </SectionCard>
          <SectionCard section={documents}>
            <NumberField section={documents} name="documentFollowDays" help={t('documentFollowDaysHelp')} />
            <TextField section={documents} name="signatoryName" />
            <TextField section={documents} name="signatoryTitle" />
            <SimLabel section={documents} />
          </SectionCard>
          <SectionCard section={privacy}>
            <PrivacyNotice section={privacy} />
            <TextField section={privacy} name="consentVersion" help={t('consentHelp')} />
            <SwitchField section={privacy} name="publicStage" help={t('publicStageHelp')} />
            <NumberField section={privacy} name="keepSessionsDays" />
            <NumberField section={privacy} name="keepDiscardedFilesDays" />
            <NumberField section={privacy} name="keepMessagesDays" />
            <NumberField section={privacy} name="keepLeadsMonths" />
          </SectionCard>
        </div>
      </div>
      <UnsavedGuard
        dirty={sections.some((section) => section.dirty)}
        onLeave={() => {
          for (const section of sections) section.forget()
        }}
      />
    </>
  )
}

/** Binds a setting with a text for each language. */
function localized({ form }: Section, key: 'simLabel' | 'privacyNotice') {
  const texts = form.values[key]
  return bindingsOf(
    texts,
    (change) => form.set({ [key]: { ...texts, ...change } }),
    (language) => form.field(`${key}.${language}`),
  )
}

const simLabels = { en: 'simLabelEn', id: 'simLabelId' } as const satisfies Record<Language, string>

function SimLabel({ section }: { section: Section }) {
  const { t } = useTranslation('settings')
  const { text } = localized(section, 'simLabel')
  return (
    <Group grow preventGrowOverflow={false} align="flex-start">
      {languages.map((language) => (
        <TextInput key={language} label={t(simLabels[language])} {...text(language)} />
      ))}
    </Group>
  )
}

const noticeLabels = { en: 'privacyNoticeEn', id: 'privacyNoticeId' } as const satisfies Record<Language, string>

function PrivacyNotice({ section }: { section: Section }) {
  const { t } = useTranslation('settings')
  const { text } = localized(section, 'privacyNotice')
  return languages.map((language) => (
    <Textarea
      key={language}
      label={t(noticeLabels[language])}
      description={t('privacyNoticeHelp')}
      autosize
      minRows={4}
      maxRows={14}
      {...text(language)}
    />
  ))
}
