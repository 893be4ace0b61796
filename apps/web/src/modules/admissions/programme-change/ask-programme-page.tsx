import { Alert, Button, Select, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { readDashboard } from '#domain/admissions/endpoints.ts'
import {
  askProgrammeChange,
  previewProgrammeRequest,
  readProgrammeRequest,
  withdrawProgrammeRequest,
} from '#domain/admissions/programme-request-endpoints.ts'
import type { Answer } from '#domain/endpoint.ts'
import { mustGet } from '#domain/must.ts'
import { rupiah } from '#locales/format.ts'
import { useEndpoint } from '#web/api/query.ts'
import { useForm } from '#web/api/use-form.ts'
import { hasEnded } from '#web/modules/admissions/dashboard/next-step.ts'
import { useScreenTitle } from '#web/shell/title.tsx'
import { Card } from '#web/ui/card.tsx'
import { ConfirmButton } from '#web/ui/confirm-button.tsx'
import { PageForm } from '#web/ui/form/form.tsx'
import { ReasonInput } from '#web/ui/form/reason-input.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { Failure } from '#web/ui/states/failure.tsx'
import { LoadingRows } from '#web/ui/states/loading-rows.tsx'
import { LoadingOrFailed } from '#web/ui/states/missing.tsx'
import { Comparison, Difference } from './comparison.tsx'

/** The applicant requests another study programme; registration and wish are in the address. */
export default function AskProgrammePage() {
  const { t } = useTranslation('programme-change')
  const { data, error, refetch } = useEndpoint(readDashboard)
  const [search, setSearch] = useSearchParams()
  const registrations =
    data?.data.kind === 'applicant'
      ? data.data.registrations.filter(({ status }) => status !== 'draft' && !hasEnded(status))
      : []
  const chosen = registrations.find(({ id }) => id === search.get('registrationId')) ?? registrations[0]
  return (
    <>
      <PageHeader title={useScreenTitle()} description={t('ask.lead')} />
      {!data && <LoadingOrFailed error={error} onRetry={refetch} rows={3} height={88} />}
      <Stack gap={20} maw={880}>
        {data && !chosen && (
          <Card>
            <EmptyState title={t('ask.none')}>
              <Text c="dimmed">{t('ask.noneText')}</Text>
              <Button component={Link} to="/pendaftaran" variant="default">
                {t('ask.toRegistrations')}
              </Button>
            </EmptyState>
          </Card>
        )}
        {registrations.length > 1 && (
          <Select
            label={t('form.who')}
            data={registrations.map(({ id, code, programme }) => ({
              value: id,
              label: `${code} · ${programme ?? '—'}`,
            }))}
            value={chosen?.id ?? null}
            onChange={(id) => id && setSearch({ registrationId: id }, { replace: true })}
            allowDeselect={false}
          />
        )}
        {chosen && (
          <Request
            key={chosen.id}
            id={chosen.id}
            wish={search.get('to')}
            onWish={(to) =>
              setSearch(to ? { registrationId: chosen.id, to } : { registrationId: chosen.id }, { replace: true })
            }
          />
        )}
      </Stack>
    </>
  )
}

type Read = Answer<typeof readProgrammeRequest>['data']
type RequestProps = { id: string; wish: string | null; onWish: (wish: string | null) => void }

const wishOf = (target: Read['targets'][number]) => `${target.programmeId}.${target.classProgrammeId}`

function Request({ id, wish, onWish }: RequestProps) {
  const { t } = useTranslation('programme-change')
  const { data, error, refetch } = useEndpoint(readProgrammeRequest, { params: { id } })
  if (!data) return <LoadingOrFailed error={error} onRetry={refetch} rows={4} height={72} />
  const { registration, problems, targets, open, request } = data.data
  const targetsByWish = new Map(targets.map((target) => [wishOf(target), target]))
  const target = wish ? targetsByWish.get(wish) : undefined
  const asks = open && problems.length === 0 && request?.status !== 'pending'
  return (
    <>
      {request && <LastRequest request={request} />}
      <Card>
        <Stack gap="md">
          <div>
            <Text fw={650} size="lg">
              {registration.programme ?? '—'} · {registration.classProgramme}
            </Text>
            <Text size="sm" c="dimmed" className="tabular">
              {registration.code} · {registration.track} · {registration.wave}
            </Text>
          </div>
          {!open && <Alert color="gray" variant="light" children={t('ask.closed')} />}
          {open && problems.length > 0 && (
            <Alert color="orange" variant="light" title={t('form.cannot')}>
              {problems.map(({ code, message }) => (
                <div key={code}>{message}</div>
              ))}
            </Alert>
          )}
          {asks && targets.length === 0 && <Alert color="orange" variant="light" children={t('form.noTarget')} />}
          {asks && targets.length > 0 && (
            <Select
              label={t('form.where')}
              placeholder={t('form.wherePlaceholder')}
              withAsterisk
              searchable
              value={target ? wishOf(target) : null}
              data={targets.map((candidate) => ({
                value: wishOf(candidate),
                label: `${candidate.programme} · ${candidate.classProgramme}`,
                disabled: candidate.placesLeft === 0,
              }))}
              renderOption={({ option }) => {
                const candidate = mustGet(targetsByWish, option.value)
                return (
                  <div>
                    <Text size="sm" fw={500}>
                      {option.label}
                    </Text>
                    <Text size="sm" c="dimmed">
                      {candidate.placesLeft > 0 ? t('form.places', { count: candidate.placesLeft }) : t('form.full')} ·{' '}
                      {candidate.tuition === null ? t('form.noTuition') : rupiah(candidate.tuition)}
                    </Text>
                  </div>
                )
              }}
              onChange={onWish}
            />
          )}
        </Stack>
      </Card>
      {asks && target && <Wish key={wishOf(target)} id={id} target={target} onSent={() => onWish(null)} />}
    </>
  )
}

function LastRequest({ request }: { request: NonNullable<Read['request']> }) {
  const { t } = useTranslation('programme-change')
  const withdraw = useForm({
    call: withdrawProgrammeRequest,
    params: { id: request.id },
    body: {},
    done: t('ask.withdrawn'),
  })
  return (
    <Card title={t('ask.last')}>
      <Stack gap="xs" align="flex-start">
        <Text fw={600}>{t('ask.moveTo', request)}</Text>
        <Text size="sm">
          {t(`request.status.${request.status}`)} · <Difference amount={request.difference} />
        </Text>
        <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {request.reason}
        </Text>
        {request.answer && <Text size="sm">{t('ask.answer', { answer: request.answer })}</Text>}
        {request.status === 'pending' && (
          <ConfirmButton variant="default" message={t('ask.withdrawText')} onConfirm={() => withdraw.send({})}>
            {t('ask.withdraw')}
          </ConfirmButton>
        )}
        <Failure>{withdraw.formError}</Failure>
      </Stack>
    </Card>
  )
}

type WishProps = { id: string; target: Read['targets'][number]; onSent: () => void }

/** Compares the wish with the current bill and asks for the reason; `seen` identifies the previewed data. */
function Wish({ id, target, onSent }: WishProps) {
  const { t } = useTranslation('programme-change')
  const body = { programmeId: target.programmeId, classProgrammeId: target.classProgrammeId }
  const preview = useEndpoint(
    previewProgrammeRequest,
    { params: { id }, body },
    { quietAs: 'programmeChangePreview', staleTime: 0, gcTime: 0 },
  )
  const change = preview.data?.data
  const form = useForm({
    call: askProgrammeChange,
    params: { id },
    start: { reason: '' },
    body: ({ reason }) => ({ ...body, reason: reason.trim(), seen: change?.seen ?? '' }),
    done: t('ask.sent'),
    onDone: onSent,
    // Reloads the comparison, because the data changed after the preview.
    onRefused: () => void preview.refetch(),
  })
  if (preview.isPending) return <LoadingRows rows={6} />
  if (!change) return <Alert color="red" variant="light" role="alert" children={preview.error?.message} />
  return (
    <>
      <Comparison change={change} />
      {change.problems.length === 0 && (
        <Card>
          <PageForm form={{ ...form, busy: form.busy || preview.isFetching }} submit={t('ask.send')}>
            <ReasonInput label={t('form.reason')} description={t('ask.reasonHelp')} {...form.text('reason')} />
          </PageForm>
        </Card>
      )}
    </>
  )
}
