import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { SelectionRun } from '#domain/selection/endpoints.ts'
import { dateTime } from '#locales/format.ts'
import { useSurroundings } from '#web/ui/text/words.tsx'

type Props = { run: SelectionRun; adoptedAt: string }

/** Who adopted a selection, and when applicants see its decisions. */
export function AdoptedText({ run: { adoptedBy, publications }, adoptedAt }: Props) {
  const { t } = useTranslation('selection')
  const { language } = useSurroundings()
  const times = publications.map(({ publishedAt }) => publishedAt)
  const seen = times.every((time) => time !== null && time >= adoptedAt)
    ? 'published'
    : times.some((time) => time !== null)
      ? 'apart'
      : 'later'
  return (
    <Text>
      {t('page.adopted', { time: dateTime(adoptedAt, language), name: adoptedBy ?? '–' })} {t(`page.seen.${seen}`)}
    </Text>
  )
}
