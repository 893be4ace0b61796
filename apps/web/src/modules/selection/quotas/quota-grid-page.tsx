import { Checkbox, Fieldset, NumberInput, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { type QuotaGrid, readQuotaGrid, saveQuotaGrid } from '#domain/selection/quota-endpoints.ts'
import { wholeNumber } from '#locales/format.ts'
import { useEndpoint } from '#web/api/query.ts'
import { useForm } from '#web/api/use-form.ts'
import classes from '#web/modules/selection/selection.module.css'
import { LoadingRecord } from '#web/shell/record-failed.tsx'
import { Card } from '#web/ui/card.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { PageForm } from '#web/ui/form/form.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { ScrollBox } from '#web/ui/scroll-box.tsx'
import { type Line, type Lines, lineOf, linesOf } from './grid-lines.ts'

/** Places of a programme: over-offer, and division by track. */
export default function QuotaGridPage() {
  const { id = '' } = useParams()
  const { t } = useTranslation('selection')
  const answer = useEndpoint(readQuotaGrid, { params: { id } }, { refetchOnWindowFocus: false })
  if (!answer.data) return <LoadingRecord error={answer.error} onRetry={answer.refetch} rows={8} />
  const grid = answer.data.data
  return (
    <>
      <PageHeader
        title={t('grid.edit', { programme: grid.programme })}
        description={`${grid.wave} · ${grid.classProgramme} · ${grid.entryLevel}`}
      />
      <Card>
        <GridForm key={grid.version} grid={grid} />
      </Card>
    </>
  )
}

type Values = { overOffer: number | null; isDivided: boolean; lines: Lines }
const numberOf = (value: string | number) => (value === '' ? null : Number(value))

function GridForm({ grid }: { grid: QuotaGrid }) {
  const { t } = useTranslation('selection')
  const tracksOf = ({ isDivided, lines }: Values) =>
    isDivided
      ? grid.candidates.map(({ trackId }) => {
          const { places, spillTurn } = lineOf(lines, trackId)
          return { trackId, places: places as number, spillTurn }
        })
      : []
  const form = useForm({
    call: saveQuotaGrid,
    params: { id: grid.id },
    start: (): Values => ({
      overOffer: grid.overOffer,
      isDivided: grid.tracks.length > 0,
      lines: linesOf(grid),
    }),
    body: (values) => ({ version: grid.version, overOffer: values.overOffer, tracks: tracksOf(values) }),
    done: t('grid.saved'),
  })
  const { isDivided, lines } = form.values
  const change = (trackId: string, line: Partial<Line>) =>
    form.set({ lines: { ...lines, [trackId]: { ...lineOf(lines, trackId), ...line } } })
  const tracks = tracksOf(form.values)
  const rest = grid.capacity - tracks.reduce((sum, { places }) => sum + (places ?? 0), 0)
  const { error } = form.field('tracks')
  return (
    <PageForm form={form} submit={grid.refusal ? null : t('grid.save')}>
      <Facts
        facts={[
          [t('grid.capacity'), wholeNumber(grid.capacity)],
          [t('grid.accepted'), wholeNumber(grid.accepted)],
        ]}
      />
      {grid.refusal && <Text c="dimmed">{grid.refusal}</Text>}
      <Fieldset variant="unstyled" disabled={grid.refusal !== null}>
        <Stack>
          <NumberInput
            label={t('grid.overOffer')}
            description={t('grid.overOfferHelp')}
            allowDecimal={false}
            maw={480}
            {...form.number('overOffer')}
          />
          {grid.candidates.length === 0 ? (
            <Text c="dimmed">{t('grid.noTracks')}</Text>
          ) : (
            <Checkbox label={t('grid.divided')} description={t('grid.dividedHelp')} {...form.box('isDivided')} />
          )}
          {isDivided && (
            <div data-field="tracks">
              <ScrollBox className={classes.scroll}>
                <table className={classes.table}>
                  <thead>
                    <tr>
                      <th scope="col">{t('grid.track')}</th>
                      <th scope="col">{t('grid.places')}</th>
                      <th scope="col">{t('grid.turn')}</th>
                      <th scope="col" className={classes.number}>
                        {t('grid.applicants')}
                      </th>
                      <th scope="col" className={classes.number}>
                        {t('grid.accepted')}
                      </th>
                      <th scope="col" className={classes.number}>
                        {t('grid.limit')}
                      </th>
                    </tr>
                  </thead>
                  <tbody>
                    {grid.candidates.map(({ trackId, name, applicants, accepted, submissionLimit }) => (
                      <tr key={trackId}>
                        <th scope="row">{name}</th>
                        <td>
                          <NumberInput
                            className={classes.input}
                            aria-label={t('grid.placesOf', { track: name })}
                            allowDecimal={false}
                            min={0}
                            value={lineOf(lines, trackId).places ?? ''}
                            error={error !== undefined}
                            onChange={(value) => change(trackId, { places: numberOf(value) })}
                          />
                        </td>
                        <td>
                          <NumberInput
                            className={classes.input}
                            aria-label={t('grid.turnOf', { track: name })}
                            allowDecimal={false}
                            min={1}
                            max={100}
                            value={lineOf(lines, trackId).spillTurn ?? ''}
                            error={error !== undefined}
                            onChange={(value) => change(trackId, { spillTurn: numberOf(value) })}
                          />
                        </td>
                        <td className={classes.number}>{wholeNumber(applicants)}</td>
                        <td className={classes.number}>{wholeNumber(accepted)}</td>
                        <td className={classes.number}>
                          {submissionLimit === null ? '–' : wholeNumber(submissionLimit)}
                        </td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </ScrollBox>
              <Text
                size="sm"
                mt="xs"
                fw={500}
                c={rest < 0 || error ? 'red.9' : undefined}
                role={error ? 'alert' : undefined}
              >
                {error ?? (rest < 0 ? t('grid.over', { count: -rest }) : t('grid.rest', { count: rest }))}
              </Text>
              <Text size="sm" c="dimmed">
                {t('grid.turnHelp')} {t('grid.limitHelp')}
              </Text>
            </div>
          )}
        </Stack>
      </Fieldset>
    </PageForm>
  )
}
