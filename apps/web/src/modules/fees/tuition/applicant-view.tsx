import { Alert, Group, Select, SimpleGrid, Stack, Table, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Answer } from '#domain/endpoint.ts'
import { quoteTuitionAsApplicant, type TuitionGrid } from '#domain/fees/endpoints.ts'
import { rupiah, weekdayDate } from '#locales/format.ts'
import { useEndpoint } from '#web/api/query.ts'
import classes from '#web/modules/fees/tuition.module.css'
import { Card } from '#web/ui/card.tsx'
import { LoadingOrFailed } from '#web/ui/states/missing.tsx'
import { Money } from '#web/ui/text/money.tsx'
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
  const choices = (rows: readonly { id: string; name: string }[]) =>
    rows.map(({ id, name }) => ({ value: id, label: name }))
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
          <Select
            size="sm"
            label={t('classProgramme')}
            value={chosenClass ?? null}
            onChange={setClassId}
            data={choices(grid.classProgrammes)}
            allowDeselect={false}
          />
          <Select
            size="sm"
            label={t('track')}
            value={chosenTrack ?? null}
            onChange={setTrackId}
            data={choices(grid.tracks)}
            allowDeselect={false}
          />
          <Select
            size="sm"
            label={t('applicant.plan')}
            value={plan?.id ?? null}
            onChange={setPlanId}
            data={choices(quote?.plans ?? [])}
            placeholder={t('applicant.noPlan')}
            allowDeselect={false}
          />
        </Group>
        {!quote ? (
          <LoadingOrFailed error={answer.error} onRetry={answer.refetch} rows={4} />
        ) : (
          <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xl">
            <Amounts quote={quote} />
            <Instalments quote={quote} plan={plan} />
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
    <Table className={classes.amounts}>
      <Table.Tbody>
        {quote.registrationFees.map(({ entryLevel, amount }) => (
          <Table.Tr key={entryLevel}>
            <Table.Td>
              {t('applicant.registrationFee')}
              <Text size="xs" c="dimmed">
                {entryLevel}
              </Text>
            </Table.Td>
            <Table.Td className={classes.right}>{amount === 0 ? t('free') : <Money amount={amount} />}</Table.Td>
          </Table.Tr>
        ))}
        {quote.lines.map((line) => (
          <Table.Tr key={line.description}>
            <Table.Td>
              {line.description}
              {!line.installmentsAllowed && (
                <Text size="xs" c="dimmed">
                  {t('applicant.atOnce')}
                </Text>
              )}
            </Table.Td>
            <Table.Td className={classes.right}>
              <Money amount={line.amount} />
            </Table.Td>
          </Table.Tr>
        ))}
        <Table.Tr>
          <Table.Th scope="row">{t('applicant.total')}</Table.Th>
          <Table.Th className={classes.right}>{rupiah(quote.total)}</Table.Th>
        </Table.Tr>
      </Table.Tbody>
    </Table>
  )
}

/** Due dates: by the plan's terms, or all at once. */
function Instalments({ quote, plan }: { quote: Quote; plan: Quote['plans'][number] | undefined }) {
  const { t } = useTranslation('fees')
  const { language } = useSurroundings()
  if (quote.total === 0)
    return (
      <Alert color="orange" variant="light">
        {t('applicant.nothing')}
      </Alert>
    )
  if (!plan) return <Text>{t('applicant.wholeBy', { date: weekdayDate(quote.dueAt, language) })}</Text>
  return (
    <Table className={classes.amounts}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('applicant.due')}</Table.Th>
          <Table.Th className={classes.right}>{t('applicant.instalment')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {plan.installments.map(({ position, amount, dueAt }) => (
          <Table.Tr key={position}>
            <Table.Td>
              {position}. {weekdayDate(dueAt, language)}
            </Table.Td>
            <Table.Td className={classes.right}>
              <Money amount={amount} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
