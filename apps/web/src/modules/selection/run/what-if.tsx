import { Button, Group, NumberInput, Stack, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type QuotaResult, type SelectionRun, tryQuotas } from '#domain/selection/endpoints.ts'
import type { ChangedPlaces } from '#domain/selection/rules.ts'
import { twoDecimals, wholeNumber } from '#locales/format.ts'
import { useEndpoint } from '#web/api/query.ts'
import classes from '#web/modules/selection/selection.module.css'
import { Card } from '#web/ui/card.tsx'
import { ScrollBox } from '#web/ui/scroll-box.tsx'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { Missing } from '#web/ui/states/missing.tsx'
import { CopyRun } from './copy-run.tsx'

const firstRows = 40
const typingMs = 250

const keyFor = ({ programmeDetailId, trackId }: Pick<QuotaResult, 'programmeDetailId' | 'trackId'>) =>
  `${programmeDetailId} ${trackId}`

/** Places of a run, with typed changes: the server computes the selection again at each change. */
export function WhatIf({ run }: { run: SelectionRun }) {
  const { t } = useTranslation('selection')
  const [changed, setChanged] = useState<Record<string, ChangedPlaces>>({})
  const [isWhole, setWhole] = useState(false)
  const [keeping, setKeeping] = useState(false)
  const places = Object.values(changed)
  const [settledPlaces] = useDebouncedValue(places, typingMs)
  const isFixed = run.refusal !== null || run.status !== 'computed'
  const tried = useEndpoint(
    tryQuotas,
    { params: { id: run.id }, body: { places: settledPlaces } },
    { enabled: settledPlaces.length > 0 && places.length > 0 && !isFixed, placeholderData: (before) => before },
  )
  const result = places.length > 0 ? tried.data?.data : undefined
  const results = new Map(result?.quotas.map((quota) => [quota.number, quota]))
  if (run.quotas.length === 0)
    return (
      <Card>
        <EmptyState title={t('whatIf.empty')} />
      </Card>
    )
  const change = (quota: QuotaResult, value: string | number) =>
    setChanged((before) => {
      const { [keyFor(quota)]: _, ...rest } = before
      const start = quota.trackId ? quota.places : quota.overOffer
      if (value === '' || Number(value) === start) return rest
      const { programmeDetailId, trackId } = quota
      return { ...rest, [keyFor(quota)]: { programmeDetailId, trackId, places: Number(value) } }
    })
  return (
    <Card title={t('whatIf.title')}>
      <Stack gap="sm">
        <Text c="dimmed">{isFixed ? (run.refusal ?? t('page.computing')) : t('whatIf.text')}</Text>
        <Group gap="sm" role="status" mih={36}>
          {result && (
            <Text fw={500}>
              {result.gained + result.lost + result.moved === 0
                ? t('whatIf.same')
                : t('whatIf.result', {
                    gained: wholeNumber(result.gained),
                    lost: wholeNumber(result.lost),
                    moved: wholeNumber(result.moved),
                    ms: wholeNumber(result.ms),
                  })}
            </Text>
          )}
          {places.length > 0 && (
            <>
              <Button size="sm" aria-haspopup="dialog" onClick={() => setKeeping(true)}>
                {t('whatIf.keep')}
              </Button>
              <Button size="sm" variant="default" onClick={() => setChanged({})}>
                {t('whatIf.reset')}
              </Button>
            </>
          )}
        </Group>
        <Missing error={places.length > 0 ? tried.error : null} onRetry={tried.refetch} />
        <ScrollBox className={classes.scroll}>
          <table className={classes.table}>
            <thead>
              <tr>
                <th scope="col">{t('whatIf.programme')}</th>
                {(['places', 'overOffer', 'placed', 'waiting', 'last'] as const).map((column) => (
                  <th key={column} scope="col" className={classes.number}>
                    {t(`whatIf.${column}`)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {(isWhole ? run.quotas : run.quotas.slice(0, firstRows)).map((quota) => (
                <QuotaLine
                  key={quota.number}
                  quota={quota}
                  tried={results.get(quota.number)}
                  value={changed[keyFor(quota)]?.places}
                  isFixed={isFixed}
                  onChange={(value) => change(quota, value)}
                />
              ))}
            </tbody>
          </table>
        </ScrollBox>
        {!isWhole && run.quotas.length > firstRows && (
          <Group>
            <Button variant="default" onClick={() => setWhole(true)}>
              {t('whatIf.all', { count: run.quotas.length })}
            </Button>
          </Group>
        )}
      </Stack>
      {keeping && <CopyRun run={run} places={places} onClose={() => setKeeping(false)} />}
    </Card>
  )
}

type LineProps = {
  quota: QuotaResult
  tried: { placed: number; lastTotal: number | null } | undefined
  value: number | undefined
  isFixed: boolean
  onChange: (value: string | number) => void
}

function QuotaLine({ quota, tried, value, isFixed, onChange }: LineProps) {
  const { t } = useTranslation('selection')
  const { programme, classProgramme, track, trackId, places, overOffer, placed, waiting, lastTotal } = quota
  const what = [programme, classProgramme, track].filter(Boolean).join(' · ')
  const input = (start: number, label: string) =>
    isFixed ? (
      wholeNumber(start)
    ) : (
      <NumberInput
        className={classes.input}
        aria-label={label}
        allowDecimal={false}
        min={0}
        max={100_000}
        value={value ?? start}
        onChange={onChange}
      />
    )
  const last = tried ? tried.lastTotal : lastTotal
  return (
    <tr data-part={trackId ? true : undefined}>
      <th scope="row">{track ?? `${programme} · ${classProgramme}`}</th>
      <td className={classes.number}>
        {trackId ? input(places, t('whatIf.placesOf', { what })) : wholeNumber(quota.capacity ?? places)}
      </td>
      <td className={classes.number}>{trackId ? '–' : input(overOffer ?? 0, t('whatIf.overOfferOf', { what }))}</td>
      <td className={classes.number}>
        {tried && tried.placed !== placed
          ? `${wholeNumber(placed)} → ${wholeNumber(tried.placed)}`
          : wholeNumber(placed)}
      </td>
      <td className={classes.number}>{wholeNumber(waiting)}</td>
      <td className={classes.number}>{last === null ? '–' : twoDecimals(last)}</td>
    </tr>
  )
}
