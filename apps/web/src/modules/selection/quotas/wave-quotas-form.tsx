import { Anchor, Button, Group, Text, TextInput } from '@mantine/core'
import { memo, useCallback, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { saveWaveQuotas, type WaveQuotas } from '#domain/selection/quota-endpoints.ts'
import { wholeNumber } from '#locales/format.ts'
import { useForm } from '#web/api/use-form.ts'
import classes from '#web/modules/selection/selection.module.css'
import { Card } from '#web/ui/card.tsx'
import { DraftSaved, useDraft } from '#web/ui/form/draft.tsx'
import { PageForm } from '#web/ui/form/form.tsx'
import { type InputProps, useGridFocus } from '#web/ui/form/use-grid-focus.ts'
import { ScrollBox } from '#web/ui/scroll-box.tsx'
import { FillByShare } from './fill-by-share.tsx'
import {
  divisionOf,
  filledBy,
  isChanged,
  noShares,
  numberOfText,
  type Programme,
  restOf,
  type Shares,
  type Typed,
  typedOf,
} from './typed-divisions.ts'

const firstRows = 40

type Props = { waveId: string; quotas: WaveQuotas; onStale: () => unknown }

/** A row for every programme of the wave; only changed rows are saved, all of them or none. */
export function WaveQuotasForm({ waveId, quotas, onStale }: Props) {
  const { t } = useTranslation('selection')
  const { programmes, tracks, refusal } = quotas
  const [{ rows, shares }, setValues, draft] = useDraft(`quotas:${waveId}`, {
    rows: {} as Record<string, Typed>,
    shares: noShares as Shares,
  })
  const [isWhole, setWhole] = useState(false)
  const { table, inputProps } = useGridFocus()
  const changed = programmes.flatMap((programme) => {
    const typed = rows[programme.id]
    return typed && isChanged(programme, typed) ? [{ programme, typed }] : []
  })
  const form = useForm({
    call: saveWaveQuotas,
    params: { id: waveId },
    body: { programmes: changed.map(({ programme, typed }) => divisionOf(programme, typed)) },
    done: t('grid.saved'),
    onDone: () => draft.clear(),
    // Another user saved a programme meanwhile: its stored places are reloaded, typed text stays.
    onRefused: onStale,
  })
  const { error } = form.field('programmes')
  const type = useCallback(
    (programme: Programme, change: (typed: Typed) => Typed) =>
      setValues((before) => ({
        ...before,
        rows: { ...before.rows, [programme.id]: change(before.rows[programme.id] ?? typedOf(programme)) },
      })),
    [setValues],
  )
  const fill = (isReplacing: boolean) => {
    const chosen = programmes.filter((programme) => isReplacing || programme.tracks.length === 0)
    setValues({
      shares,
      rows: {
        ...rows,
        ...Object.fromEntries(
          chosen.map((programme) => [
            programme.id,
            filledBy(programme, rows[programme.id] ?? typedOf(programme), shares),
          ]),
        ),
      },
    })
  }
  const shownProgrammes = isWhole ? programmes : programmes.slice(0, firstRows)
  return (
    <>
      {!refusal && tracks.length > 0 && (
        <FillByShare
          quotas={quotas}
          shares={shares}
          onShares={(next) => setValues((before) => ({ ...before, shares: next }))}
          onFill={fill}
        />
      )}
      <Card title={t('quotas.title')}>
        <PageForm
          form={form}
          submit={refusal ? null : t('grid.save')}
          button={{ disabled: changed.length === 0 }}
          layOut={(send) => (
            <div className={classes.saveBar}>
              <Group gap="sm">
                {send}
                {changed.length > 0 && (
                  <>
                    <Text fw={500}>{t('wave.changed', { count: changed.length })}</Text>
                    <Button variant="default" onClick={() => setValues((before) => ({ ...before, rows: {} }))}>
                      {t('wave.discard')}
                    </Button>
                  </>
                )}
                <DraftSaved savedAt={changed.length > 0 ? draft.savedAt : null} failed={draft.failed} />
              </Group>
            </div>
          )}
        >
          {refusal && <Text c="dimmed">{refusal}</Text>}
          <div data-field="programmes">
            <ScrollBox className={classes.scroll}>
              <table ref={table} className={classes.table}>
                <thead>
                  <tr>
                    <th scope="col" data-sticky="left">
                      {t('whatIf.programme')}
                    </th>
                    <th scope="col" className={classes.number}>
                      {t('grid.capacity')}
                    </th>
                    <th scope="col">{t('grid.overOffer')}</th>
                    {tracks.map(({ trackId, name }) => (
                      <th key={trackId} scope="col">
                        {name}
                      </th>
                    ))}
                    <th scope="col" className={classes.number}>
                      {t('wave.rest')}
                    </th>
                    <th scope="col" className={classes.number}>
                      {t('grid.accepted')}
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {shownProgrammes.map((programme, index) => (
                    <Row
                      key={programme.id}
                      programme={programme}
                      typed={rows[programme.id]}
                      tracks={tracks}
                      index={index}
                      isFixed={refusal !== null}
                      inputProps={inputProps}
                      onType={type}
                    />
                  ))}
                </tbody>
              </table>
            </ScrollBox>
            {error && (
              <Text size="sm" c="red.9" fw={500} mt="xs" role="alert">
                {error}
              </Text>
            )}
          </div>
          {shownProgrammes.length < programmes.length && (
            <Group>
              <Button variant="default" onClick={() => setWhole(true)}>
                {t('whatIf.all', { count: programmes.length })}
              </Button>
            </Group>
          )}
        </PageForm>
      </Card>
    </>
  )
}

type RowProps = {
  programme: Programme
  typed: Typed | undefined
  tracks: WaveQuotas['tracks']
  index: number
  isFixed: boolean
  inputProps: (row: number, column: number) => InputProps
  onType: (programme: Programme, change: (typed: Typed) => Typed) => void
}

const Row = memo(function Row({ programme, typed, tracks, index, isFixed, inputProps, onType }: RowProps) {
  const { t } = useTranslation('selection')
  const { overOffer, places } = typed ?? typedOf(programme)
  const { id, capacity, accepted, trackIds, entryLevel, classProgramme } = programme
  const what = [programme.programme, classProgramme, entryLevel].join(' · ')
  const rest = restOf(programme, typed ?? typedOf(programme))
  const isWrong = (text: string) => text.trim() !== '' && numberOfText(text) === undefined
  const input = (
    column: number,
    label: string,
    text: string,
    isFaulty: boolean,
    change: (typed: Typed, next: string) => Typed,
  ) =>
    isFixed ? (
      text || '–'
    ) : (
      <TextInput
        className={classes.narrowInput}
        inputMode="numeric"
        autoComplete="off"
        aria-label={label}
        value={text}
        error={isFaulty}
        onChange={(event) => {
          const next = event.currentTarget.value
          onType(programme, (before) => change(before, next))
        }}
        {...inputProps(index, column)}
      />
    )
  return (
    <tr data-changed={typed && isChanged(programme, typed) ? true : undefined}>
      <th scope="row" data-sticky="left">
        <Anchor component={Link} to={`/seleksi/kuota/${id}`}>
          {programme.programme}
        </Anchor>
        <Text component="span" display="block" size="sm" c="dimmed">
          {classProgramme} · {entryLevel}
        </Text>
      </th>
      <td className={classes.number}>{wholeNumber(capacity)}</td>
      <td>
        {input(
          0,
          t('whatIf.overOfferOf', { what }),
          overOffer,
          numberOfText(overOffer) === undefined,
          (before, next) => ({
            ...before,
            overOffer: next,
          }),
        )}
      </td>
      {tracks.map(({ trackId, name }, column) => (
        <td key={trackId}>
          {trackIds.includes(trackId)
            ? input(
                column + 1,
                t('whatIf.placesOf', { what: `${what} · ${name}` }),
                places[trackId] ?? '',
                isWrong(places[trackId] ?? '') || (rest ?? 0) < 0,
                (before, next) => ({ ...before, places: { ...before.places, [trackId]: next } }),
              )
            : '–'}
        </td>
      ))}
      <td className={classes.number}>
        {rest === undefined ? (
          <Text span size="sm" c="dimmed">
            {t('wave.undivided')}
          </Text>
        ) : rest < 0 ? (
          <Text span c="red.9" fw={500}>
            {t('wave.tooMany', { count: -rest })}
          </Text>
        ) : (
          wholeNumber(rest)
        )}
      </td>
      <td className={classes.number}>{wholeNumber(accepted)}</td>
    </tr>
  )
})
