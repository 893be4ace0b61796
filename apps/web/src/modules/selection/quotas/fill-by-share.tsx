import { Button, Checkbox, Group, NumberInput, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { WaveQuotas } from '#domain/selection/quota-endpoints.ts'
import { wholeNumber } from '#locales/format.ts'
import classes from '#web/modules/selection/selection.module.css'
import { Card } from '#web/ui/card.tsx'
import { ScrollBox } from '#web/ui/scroll-box.tsx'
import type { Shares } from './typed-divisions.ts'

type Props = {
  quotas: WaveQuotas
  shares: Shares
  onShares: (shares: Shares) => void
  onFill: (isReplacing: boolean) => void
}

const numberOf = (value: string | number) => (value === '' ? '' : Number(value))

/** Fills in the rows of all programmes by shares of their capacities, without saving. */
export function FillByShare({ quotas: { tracks, programmes }, shares, onShares, onFill }: Props) {
  const { t } = useTranslation('selection')
  const [isReplacing, setReplacing] = useState(false)
  const percents = tracks.map(({ trackId }) => Number(shares.percents[trackId] ?? 0))
  const whole = percents.reduce((sum, percent) => sum + percent, 0)
  const turns = tracks.flatMap(({ trackId }) => shares.turns[trackId] || [])
  const problem =
    whole > 100
      ? t('wave.tooLarge', { percent: wholeNumber(whole) })
      : new Set(turns).size < turns.length
        ? t('errors:selection_turn_twice')
        : null
  const count = programmes.filter((programme) => isReplacing || programme.tracks.length === 0).length
  return (
    <Card title={t('wave.fill')}>
      <Stack gap="sm">
        <Text c="dimmed">{t('wave.fillText')}</Text>
        <ScrollBox className={classes.scroll}>
          <table className={classes.table}>
            <thead>
              <tr>
                <th scope="col">{t('grid.track')}</th>
                <th scope="col">{t('wave.share')}</th>
                <th scope="col">{t('grid.turn')}</th>
              </tr>
            </thead>
            <tbody>
              {tracks.map(({ trackId, name }) => (
                <tr key={trackId}>
                  <th scope="row">{name}</th>
                  <td>
                    <NumberInput
                      className={classes.input}
                      aria-label={t('wave.shareOf', { track: name })}
                      min={0}
                      max={100}
                      decimalScale={2}
                      value={shares.percents[trackId] ?? ''}
                      onChange={(value) =>
                        onShares({ ...shares, percents: { ...shares.percents, [trackId]: numberOf(value) } })
                      }
                    />
                  </td>
                  <td>
                    <NumberInput
                      className={classes.input}
                      aria-label={t('grid.turnOf', { track: name })}
                      min={1}
                      max={100}
                      allowDecimal={false}
                      value={shares.turns[trackId] ?? ''}
                      onChange={(value) =>
                        onShares({ ...shares, turns: { ...shares.turns, [trackId]: numberOf(value) } })
                      }
                    />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollBox>
        <Text size="sm" c={problem ? 'red.9' : 'dimmed'} role={problem ? 'alert' : undefined}>
          {problem ?? t('grid.turnHelp')}
        </Text>
        <NumberInput
          label={t('wave.overOffer')}
          description={t('wave.overOfferHelp')}
          maw={480}
          min={0}
          max={1000}
          decimalScale={2}
          value={shares.overOffer}
          onChange={(value) => onShares({ ...shares, overOffer: numberOf(value) })}
        />
        <Checkbox
          label={t('wave.replace')}
          checked={isReplacing}
          onChange={(event) => setReplacing(event.currentTarget.checked)}
        />
        <Group>
          <Button
            variant="default"
            disabled={problem !== null || count === 0 || whole === 0}
            onClick={() => onFill(isReplacing)}
          >
            {t('wave.fillButton', { count })}
          </Button>
        </Group>
      </Stack>
    </Card>
  )
}
