import { Button, Group, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { readSelectionRun, releaseHold, type SelectionRun } from '#domain/selection/endpoints.ts'
import { percent, twoDecimals } from '#locales/format.ts'
import { keyOf } from '#web/api/query.ts'
import { sendOnce } from '#web/api/send.ts'
import { useAction } from '#web/api/use-action.ts'
import classes from '#web/modules/selection/selection.module.css'
import { Card } from '#web/ui/card.tsx'
import { ConfirmButton } from '#web/ui/confirm-button.tsx'
import { Facts } from '#web/ui/facts.tsx'

/** Rules of a run in words, the seed of its lots, and manually held places. */
export function RulesOfRun({ run }: { run: SelectionRun }) {
  const { t } = useTranslation('selection')
  const { rules, names } = run
  const nameOf = (id: string) => names[id] ?? '…'
  const facts: [string, string][] = [
    [t('form.method'), t(`form.methods.${rules.method}`)],
    [t('form.scoreRun'), run.scoreRun?.name ?? t('form.raw')],
    [t('form.pooledTies'), t(`form.tie.${rules.ties}`)],
    [t('form.reserve'), percent(rules.reservePercent / 100)],
    ...rules.criteria.map(({ trackId, programmeId, tests }): [string, string] => {
      const ties = rules.tracks.find((track) => track.trackId === trackId)?.ties ?? rules.ties
      const criteria = tests.map(({ testId, weight, passMark }) =>
        [
          `${nameOf(testId)} × ${twoDecimals(weight)}`,
          passMark !== null && `${t('form.passMark').toLowerCase()} ${twoDecimals(passMark)}`,
        ]
          .filter(Boolean)
          .join(', '),
      )
      return [
        [nameOf(trackId), programmeId && nameOf(programmeId)].filter(Boolean).join(' · '),
        [criteria.join('; ') || t('form.noTests'), t(`form.tie.${ties}`)].join(' · '),
      ]
    }),
  ]
  return (
    <>
      <Card
        title={t('page.rules')}
        actions={
          run.refusal === null && (
            <Button component={Link} to={`/seleksi/${run.id}/aturan`} variant="default" size="sm">
              {t('form.edit')}
            </Button>
          )
        }
      >
        <Facts facts={facts} />
        <Text size="sm" c="dimmed" mt="sm" className={classes.hash}>
          {t('page.lot', { seed: rules.lotSeed })}
        </Text>
        {run.inputHash && run.outputHash && (
          <Text size="sm" c="dimmed" className={classes.hash}>
            {t('page.hash', { input: run.inputHash, output: run.outputHash })}
          </Text>
        )}
      </Card>
      <Holds run={run} />
    </>
  )
}

function Holds({ run }: { run: SelectionRun }) {
  const { t } = useTranslation('selection')
  const { actOrThrow } = useAction(keyOf(readSelectionRun, { params: { id: run.id } }))
  return (
    <Card title={t('hold.title')}>
      {run.holds.length === 0 && <Text c="dimmed">{t('hold.empty')}</Text>}
      <ul className={classes.rules}>
        {run.holds.map(({ registrationId, name, code, programme, kind, reason }) => (
          <li key={registrationId}>
            <Group justify="space-between">
              <Stack gap={2}>
                <Text fw={500}>
                  {name} · {code}
                </Text>
                <Text size="sm">{t(`hold.kinds.${kind}`, { programme: programme ?? t('hold.everywhere') })}</Text>
                <Text size="sm" c="dimmed">
                  {reason}
                </Text>
              </Stack>
              {run.refusal === null && (
                <ConfirmButton
                  size="sm"
                  variant="default"
                  message={t('hold.releaseConfirm', { name })}
                  onConfirm={() =>
                    actOrThrow('release', () =>
                      sendOnce(releaseHold, {
                        params: { id: run.id, registrationId },
                        query: { version: run.version },
                      }),
                    )
                  }
                >
                  {t('hold.release')}
                </ConfirmButton>
              )}
            </Group>
          </li>
        ))}
      </ul>
    </Card>
  )
}
