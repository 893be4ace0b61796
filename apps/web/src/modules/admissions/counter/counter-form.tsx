import { Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { readIntake, readIntakeOptions } from '#domain/admissions/endpoints.ts'
import { type KnownPerson, registerAtCounter } from '#domain/counter/endpoints.ts'
import { type Language, languages } from '#entities/define/language.ts'
import { useEndpoint } from '#web/api/query.ts'
import { useForm } from '#web/api/use-form.ts'
import { ProgrammeChoices } from '#web/modules/admissions/apply/programme-choices.tsx'
import { emptyForm, fitToOptions, programmeIdsOf } from '#web/modules/admissions/apply/registration-form.ts'
import { StepTrack } from '#web/modules/admissions/apply/steps/step-track.tsx'
import { Card } from '#web/ui/card.tsx'
import { PageForm } from '#web/ui/form/form.tsx'
import { SegmentedField } from '#web/ui/form/segmented-field.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { LoadingOrFailed } from '#web/ui/states/missing.tsx'
import { KnownPeople } from './known-people.tsx'

/** Opens account and registration for a person at the counter. */
export default function CounterForm() {
  const { t } = useTranslation(['counter', 'common'])
  const navigate = useNavigate()
  const [study, setStudy] = useState(emptyForm)
  const { waveId, trackId, entryLevelId, classProgrammeId } = study
  const intake = useEndpoint(readIntake)
  const options = useEndpoint(
    readIntakeOptions,
    { query: { waveId: waveId ?? '', trackId: trackId ?? '' } },
    { enabled: trackId !== null },
  )
  const offer = options.data?.data
  const fittedStudy = offer && trackId === offer.track.id ? fitToOptions(study, offer) : study
  const bodyOf = <Person extends object>(person: Person) => ({
    ...person,
    waveId,
    trackId,
    entryLevelId: fittedStudy.entryLevelId ?? entryLevelId,
    classProgrammeId: fittedStudy.classProgrammeId ?? classProgrammeId,
    choices: programmeIdsOf(fittedStudy.choices),
  })
  const form = useForm({
    call: registerAtCounter,
    start: { name: '', email: '', phone: '', nik: '', language: 'id' as Language },
    body: bodyOf,
    done: t('done'),
    onDone: ({ data }) => navigate(`/pendaftaran/${data.id}`),
  })
  const people = form.refusal?.code === 'person_known' ? (form.refusal.data?.people as KnownPerson[]) : []
  const answer = (choice: { accountId: string } | { isAnotherPerson: true }) =>
    void form.send({ ...bodyOf(form.values), ...choice }).catch(() => {})
  return (
    <>
      <PageHeader title={t('title')} />
      <PageForm form={form} submit={t('submit')} gap="lg" maw={720}>
        <Card title={t('person')}>
          <Stack>
            <TextInput label={t('field.name')} autoComplete="off" {...form.text('name')} />
            <TextInput
              label={t('field.phone')}
              description={t('hint.phone')}
              inputMode="tel"
              autoComplete="off"
              {...form.text('phone')}
            />
            <TextInput
              label={t('field.email')}
              description={t('hint.email')}
              inputMode="email"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              {...form.text('email')}
            />
            <TextInput label={t('field.nik')} inputMode="numeric" autoComplete="off" {...form.text('nik')} />
            <SegmentedField
              label={t('field.language')}
              data={languages.map((language) => ({ value: language, label: t(`common:language.${language}`) }))}
              {...form.value('language')}
            />
          </Stack>
        </Card>
        <Card title={t('study')}>
          <Stack gap="lg">
            {intake.data ? (
              <StepTrack
                waves={intake.data.data}
                form={study}
                checks={form}
                onChoose={(chosenWaveId, chosenTrackId) =>
                  setStudy({ ...emptyForm, waveId: chosenWaveId, trackId: chosenTrackId })
                }
              />
            ) : (
              <LoadingOrFailed error={intake.error} onRetry={intake.refetch} rows={4} />
            )}
            {offer ? (
              <ProgrammeChoices options={offer} form={fittedStudy} onChange={setStudy} checks={form} />
            ) : (
              trackId && <LoadingOrFailed error={options.error} onRetry={options.refetch} rows={3} />
            )}
          </Stack>
        </Card>
        {people.length > 0 && <KnownPeople people={people} busy={form.busy} onAnswer={answer} />}
      </PageForm>
    </>
  )
}
