import { Button, Group, Select, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { confirmPeople, listProposedPeople, readScoreImport, type ScoreImport } from '#domain/scores/endpoints.ts'
import { longDate } from '#locales/format.ts'
import { keyOf, useEndpoint } from '#web/api/query.ts'
import { sendOnce } from '#web/api/send.ts'
import { useAction } from '#web/api/use-action.ts'
import { Card } from '#web/ui/card.tsx'
import { LoadingOrFailed } from '#web/ui/states/missing.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'

const nobody = 'nobody'

/** Rows without a known code, where staff confirm who is meant. */
export function PeopleCard({ record }: { record: ScoreImport }) {
  const { t } = useTranslation('scores')
  const { language } = useSurroundings()
  const params = { params: { id: record.id } }
  const { data: answer, error, refetch } = useEndpoint(listProposedPeople, params)
  const [chosen, setChosen] = useState<Record<number, string | null>>({})
  const { act, running } = useAction(keyOf(readScoreImport), keyOf(listProposedPeople), [])
  const dayOf = (day: string | null) => (day ? longDate(day, language) : t('people.noBirthDate'))
  const choices = Object.entries(chosen).flatMap(([row, registrationId]) =>
    registrationId ? [{ row: Number(row), registrationId: registrationId === nobody ? null : registrationId }] : [],
  )
  const confirm = () =>
    act('confirm', async () => {
      await sendOnce(confirmPeople, { ...params, body: { people: choices } })
      setChosen({})
    })
  return (
    <Card title={t('people.title')}>
      {!answer ? (
        <LoadingOrFailed error={error} onRetry={refetch} />
      ) : (
        <Stack>
          <Text>{t('people.text')}</Text>
          {answer.data.map(({ row, name, birthDate, candidates, registrationId, confirmed }) => (
            <Select
              key={row}
              label={t('people.row', { row, name, birthDate: dayOf(birthDate) })}
              description={confirmed ? t('people.confirmed') : undefined}
              placeholder={t('people.choose')}
              value={chosen[row] ?? (confirmed ? (registrationId ?? nobody) : null)}
              onChange={(value) => setChosen((before) => ({ ...before, [row]: value }))}
              data={[
                ...candidates.map((one) => ({
                  value: one.registrationId,
                  label: t('people.candidate', {
                    ...one,
                    birthDate: dayOf(one.birthDate),
                    session: one.session ?? t('people.noSession'),
                  }),
                })),
                { value: nobody, label: t('people.nobody') },
              ]}
            />
          ))}
          <Group>
            <Button onClick={confirm} loading={running === 'confirm'} disabled={choices.length === 0}>
              {t('people.confirm', { count: choices.length })}
            </Button>
          </Group>
        </Stack>
      )}
    </Card>
  )
}
