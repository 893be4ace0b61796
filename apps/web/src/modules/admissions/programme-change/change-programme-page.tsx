import { Alert, Button, Group, Select, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import {
  type ChangeTarget,
  changeProgramme,
  previewProgrammeChange,
  readChangeTargets,
} from '#domain/admissions/programme-change-endpoints.ts'
import { mustGet } from '#domain/must.ts'
import { rupiah } from '#locales/format.ts'
import { useEndpoint } from '#web/api/query.ts'
import { useForm } from '#web/api/use-form.ts'
import { useScreenTitle } from '#web/shell/title.tsx'
import { useGoBack, useWayBack } from '#web/shell/way-back.ts'
import { Card } from '#web/ui/card.tsx'
import { PageForm } from '#web/ui/form/form.tsx'
import { ReasonInput } from '#web/ui/form/reason-input.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Failure } from '#web/ui/states/failure.tsx'
import { LoadingRows } from '#web/ui/states/loading-rows.tsx'
import { DateText } from '#web/ui/text/date-text.tsx'
import { Comparison } from './comparison.tsx'
import { RefuseDialog } from './refuse-dialog.tsx'
import { RegistrationSelect } from './registration-select.tsx'

/**
 * Changes a registration's programme: pick a registration, pick a target, compare, confirm. Registration and target are
 * in the address.
 */
export default function ChangeProgrammePage() {
  const { t } = useTranslation(['programme-change', 'staff', 'common'])
  const [search, setSearch] = useSearchParams()
  const registrationId = search.get('registrationId')
  const place = search.get('to')
  return (
    <>
      <PageHeader title={useScreenTitle()} description={t('form.lead')} />
      <Stack gap={20} maw={880}>
        {registrationId ? (
          <ChosenRegistration
            key={registrationId}
            id={registrationId}
            place={place}
            onPlace={(to) => setSearch(to ? { registrationId, to } : { registrationId }, { replace: true })}
            onOther={() => setSearch({})}
          />
        ) : (
          <Card>
            <RegistrationSelect onChange={(id) => setSearch({ registrationId: id })} />
          </Card>
        )}
      </Stack>
    </>
  )
}

type ChosenProps = { id: string; place: string | null; onPlace: (place: string | null) => void; onOther: () => void }

const placeOf = ({ programmeId, classProgrammeId }: Pick<ChangeTarget, 'programmeId' | 'classProgrammeId'>) =>
  `${programmeId}.${classProgrammeId}`

function ChosenRegistration({ id, place, onPlace, onOther }: ChosenProps) {
  const { t } = useTranslation(['programme-change', 'staff', 'common'])
  const goBack = useGoBack()
  const [isRefusing, setRefusing] = useState(false)
  const { data, isPending, error } = useEndpoint(readChangeTargets, { params: { id } })
  if (isPending) return <LoadingRows rows={4} />
  if (!data)
    return (
      <Stack gap="sm" align="flex-start">
        <Alert color="red" variant="light" role="alert" children={error?.message} />
        <Button variant="default" onClick={onOther} children={t('form.other')} />
      </Stack>
    )
  const { registration, problems, targets, asked } = data.data
  const targetsByPlace = new Map(targets.map((target) => [placeOf(target), target]))
  const chosenTarget = place ? targetsByPlace.get(place) : undefined
  const faculties = [...new Set(targets.map(({ faculty }) => faculty))]
  return (
    <>
      <Card>
        <Stack gap="md">
          <Group justify="space-between" align="flex-start">
            <div style={{ minWidth: 0 }}>
              <Text fw={650} size="lg">
                {registration.name}
              </Text>
              <Text size="sm" c="dimmed" className="tabular">
                {registration.code} · {registration.wave} · {registration.track}
              </Text>
              <Text size="sm">
                {registration.programme ?? '—'} · {registration.classProgramme} ·{' '}
                {t(`staff:status.${registration.status}`)}
              </Text>
            </div>
            <Button variant="default" size="compact-sm" onClick={onOther}>
              {t('form.other')}
            </Button>
          </Group>
          {asked && (
            <Alert color="blue" variant="light" title={t('form.asked', asked)}>
              <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                {asked.reason}
              </Text>
              <Text size="sm" c="dimmed">
                <DateText value={asked.askedAt} as="datetime" />
              </Text>
              <Group gap="xs" mt="xs">
                {place !== placeOf(asked) && (
                  <Button variant="default" size="sm" onClick={() => onPlace(placeOf(asked))}>
                    {t('form.compareWish')}
                  </Button>
                )}
                <Button variant="default" size="sm" aria-haspopup="dialog" onClick={() => setRefusing(true)}>
                  {t('request.refuse')}
                </Button>
              </Group>
              {isRefusing && (
                <RefuseDialog
                  request={{ ...asked, applicantName: registration.name }}
                  onDone={() => goBack('/pindah-prodi/requests')}
                  onClose={() => setRefusing(false)}
                />
              )}
            </Alert>
          )}
          {problems.length > 0 ? (
            <Alert color="red" variant="light" role="alert" title={t('form.cannot')}>
              {problems.map(({ code, message }) => (
                <div key={code}>{message}</div>
              ))}
            </Alert>
          ) : targets.length === 0 ? (
            <Alert color="orange" variant="light" children={t('form.noTarget')} />
          ) : (
            <Select
              label={t('form.where')}
              placeholder={t('form.wherePlaceholder')}
              withAsterisk
              searchable
              value={chosenTarget ? placeOf(chosenTarget) : null}
              data={faculties.map((group) => ({
                group,
                items: targets
                  .filter(({ faculty }) => faculty === group)
                  .map((target) => ({
                    value: placeOf(target),
                    label: `${target.programme} · ${target.classProgramme}`,
                  })),
              }))}
              renderOption={({ option }) => {
                const target = mustGet(targetsByPlace, option.value)
                return (
                  <div>
                    <Text size="sm" fw={500}>
                      {option.label}
                    </Text>
                    <Text size="sm" c="dimmed">
                      {target.placesLeft > 0 ? t('form.places', { count: target.placesLeft }) : t('form.full')} ·{' '}
                      {target.tuition === null ? t('form.noTuition') : rupiah(target.tuition)}
                    </Text>
                  </div>
                )
              }}
              onChange={onPlace}
            />
          )}
        </Stack>
      </Card>
      {chosenTarget && problems.length === 0 && (
        <Offer key={placeOf(chosenTarget)} id={id} name={registration.name} target={chosenTarget} />
      )}
    </>
  )
}

/**
 * Compares the target and asks for the reason. `seen` identifies the previewed data; the server refuses with 409 if it
 * has changed.
 */
function Offer({ id, name, target }: { id: string; name: string; target: ChangeTarget }) {
  const { t } = useTranslation(['programme-change', 'common'])
  const goBack = useGoBack()
  const wayBack = useWayBack()
  const { programmeId, classProgrammeId } = target
  const body = { programmeId, classProgrammeId }
  const preview = useEndpoint(
    previewProgrammeChange,
    { params: { id }, body },
    { quietAs: 'programmeChangePreview', staleTime: 0, gcTime: 0 },
  )
  const change = preview.data?.data
  const form = useForm({
    call: changeProgramme,
    params: { id },
    start: { reason: '' },
    body: ({ reason }) => ({ ...body, reason: reason.trim(), seen: change?.seen ?? '' }),
    done: t('form.done', { name, programme: target.programme }),
    onDone: () => goBack('/pindah-prodi'),
    // Reloads the comparison, because the data changed after the preview.
    onRefused: () => void preview.refetch(),
  })
  if (preview.isPending) return <LoadingRows rows={6} />
  if (preview.error || !change)
    return <Alert color="red" variant="light" role="alert" children={preview.error?.message} />
  const refusal = form.refusal
  const notice = refusal?.status === 409 ? `${refusal.message} ${t('form.changedMeanwhile')}` : form.formError
  return (
    <>
      <Comparison change={change} />
      {change.problems.length > 0 && <Failure>{notice}</Failure>}
      {change.problems.length === 0 && (
        <Card>
          <PageForm
            form={{ ...form, formError: notice, busy: form.busy || preview.isFetching }}
            submit={t('form.accept')}
            beside={
              <Button
                component={Link}
                {...wayBack('/pindah-prodi')}
                variant="default"
                children={t('common:actions.cancel')}
              />
            }
          >
            <ReasonInput label={t('form.reason')} description={t('form.reasonHelp')} {...form.text('reason')} />
          </PageForm>
        </Card>
      )}
    </>
  )
}
