import { Anchor, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { listRegistrations } from '#domain/admissions/lists.ts'
import { useEndpoint } from '#web/api/query.ts'
import { Missing } from '#web/ui/missing.tsx'

/** Where everybody of a wave and track is listed who paid and has no decision. */
export const undecidedPath = (waveId: string, trackId: string) =>
  `/pendaftaran?waveId=${waveId}&trackId=${trackId}&result=undecided`

const namesShown = 8

type Props = { waveId: string; trackId: string; count: number; onLeave?: () => void }

/** Who has no decision yet, by name, with the way to all of them. */
export function Undecided({ waveId, trackId, count, onLeave }: Props) {
  const { t } = useTranslation('staff')
  const query = { waveId, trackId, result: 'undecided' as const, sort: 'name' as const, per_page: namesShown }
  const { data, error, refetch } = useEndpoint(listRegistrations, { query }, { enabled: count > 0 })
  if (count === 0) return <Text size="sm">{t('undecided.none')}</Text>
  if (error && !data) return <Missing error={error} onRetry={refetch} />
  const names = (data?.data ?? []).map(({ name, code }) => `${name} (${code})`)
  return (
    <Text size="sm">
      <strong>{t('undecided.some', { count })}</strong> {names.join(', ')}
      {count > names.length && names.length > 0 && ' …'}{' '}
      <Anchor component={Link} size="sm" to={undecidedPath(waveId, trackId)} onClick={onLeave}>
        {t('undecided.all')}
      </Anchor>
    </Text>
  )
}
