import { Badge, Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { wholeNumber } from '#locales/format.ts'
import { useSchoolQuality } from './use-school-data.ts'

/** Links beside the list of schools, with the numbers of waiting proposals and possible duplicates. */
export default function QualityButtons() {
  const { t } = useTranslation('schools')
  const { data } = useSchoolQuality()
  const counts = [
    { key: 'proposals', count: data?.data.proposals },
    { key: 'duplicates', count: data?.data.pairs },
  ] as const
  return counts.map(({ key, count }) => (
    <Button
      key={key}
      component={Link}
      to={`/master/sma-nama/${key}`}
      variant="default"
      rightSection={
        count ? <Badge size="sm" variant="filled" color="primary.8" children={wholeNumber(count)} /> : undefined
      }
    >
      {t(`badge.${key}`)}
    </Button>
  ))
}
