import { Anchor, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { listRegistrations } from '#domain/admissions/lists.ts'
import { useEndpoint } from '#web/api/query.ts'
import { Missing } from '#web/ui/states/missing.tsx'

/** Path of the list of applicants in a wave and track who have paid and have no decision. */
export const undecidedPath = (waveId: string, trackId: string) =>
  `/pendaftaran?waveId=${waveId}&trackId=${trackId}&result=undecided`

const namesShown = 8

type Props = { waveId: string; trackId: string; count: number; onLeave?: () => void }

/** Names of applicants without a decision, with a link to the full list. */
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
