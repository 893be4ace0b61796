import { Alert, Group, SimpleGrid, Stack, Table, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Answer } from '#domain/endpoint.ts'
import { quoteTuitionAsApplicant, type TuitionGrid } from '#domain/fees/endpoints.ts'
import { rupiah, weekdayDate } from '#locales/format.ts'
import { useEndpoint } from '#web/api/query.ts'
import { Instalments } from '#web/modules/fees/instalments.tsx'
import { RowSelect } from '#web/modules/fees/row-select.tsx'
import classes from '#web/modules/fees/tuition.module.css'
import { withNote } from '#web/modules/fees/with-note.tsx'
import { Card } from '#web/ui/card.tsx'
import { LoadingOrFailed } from '#web/ui/states/missing.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'

/** Bills for an applicant in a class and track, computed by the server's rule. */
export function ApplicantView({ grid, unsaved }: { grid: TuitionGrid; unsaved: boolean }) {
  const { t } = useTranslation('fees')
  const [classId, setClassId] = useState<string | null>(null)
  const [trackId, setTrackId] = useState<string | null>(null)
  const [planId, setPlanId] = useState<string | null>(null)
  const chosenClass = classId ?? grid.classProgrammes[0]?.id
  const chosenTrack = trackId ?? grid.trackId ?? grid.tracks[0]?.id
  const answer = useEndpoint(
    quoteTuitionAsApplicant,
    {
      params: { parentId: grid.programme.id },
      query: { waveId: grid.waveId, trackId: chosenTrack ?? '', classProgrammeId: chosenClass ?? '' },
    },
    { enabled: !!chosenClass && !!chosenTrack },
  )
  const quote = answer.data?.data
  const plan = quote?.plans.find(({ id }) => id === planId) ?? quote?.plans[0]
  return (
    <Card title={t('applicant.title')}>
      <Stack>
        <Text size="sm" c="dimmed">
          {t('applicant.text')}
        </Text>
        {unsaved && (
          <Alert color="orange" variant="light">
            {t('applicant.unsaved')}
          </Alert>
        )}
        <Group align="flex-end">
          <RowSelect
            label={t('classProgramme')}
            rows={grid.classProgrammes}
            value={chosenClass}
            onChange={setClassId}
          />
          <RowSelect label={t('track')} rows={grid.tracks} value={chosenTrack} onChange={setTrackId} />
          <RowSelect
            label={t('applicant.plan')}
            rows={quote?.plans ?? []}
            value={plan?.id}
            onChange={setPlanId}
            placeholder={t('applicant.noPlan')}
          />
        </Group>
        {!quote ? (
          <LoadingOrFailed error={answer.error} onRetry={answer.refetch} rows={4} />
        ) : (
          <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xl">
            <Amounts quote={quote} />
            <DueDates quote={quote} plan={plan} />
          </SimpleGrid>
        )}
        {quote && quote.plansLeftOut.length > 0 && (
          <Alert color="orange" variant="light">
            {t('applicant.plansLeftOut', { names: quote.plansLeftOut.map(({ name }) => name).join(', ') })}
          </Alert>
        )}
      </Stack>
    </Card>
  )
}

type Quote = Answer<typeof quoteTuitionAsApplicant>['data']

/** Amounts billed: registration fees by entry level, then the tuition lines. */
function Amounts({ quote }: { quote: Quote }) {
  const { t } = useTranslation('fees')
  return (
    <Table
      className={classes.amounts}
      data={{
        body: [
          ...quote.registrationFees.map(({ entryLevel, amount }) => [
            withNote(t('applicant.registrationFee'), entryLevel),
            amount === 0 ? t('free') : rupiah(amount),
          ]),
          ...quote.lines.map(({ description, amount, installmentsAllowed }) => [
            withNote(description, !installmentsAllowed && t('applicant.atOnce')),
            rupiah(amount),
          ]),
        ],
        foot: [t('applicant.total'), rupiah(quote.total)],
      }}
    />
  )
}

/** Due dates: by the plan's terms, or all at once. */
function DueDates({ quote, plan }: { quote: Quote; plan: Quote['plans'][number] | undefined }) {
  const { t } = useTranslation('fees')
  const { language } = useSurroundings()
  if (quote.total === 0)
    return (
      <Alert color="orange" variant="light">
        {t('applicant.nothing')}
      </Alert>
    )
  if (!plan) return <Text>{t('applicant.wholeBy', { date: weekdayDate(quote.dueAt, language) })}</Text>
  return <Instalments parts={plan.installments} />
}
