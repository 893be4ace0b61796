import { Alert } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { SelectionRun } from '#domain/selection/endpoints.ts'
import { wholeNumber } from '#locales/format.ts'

/** Warns that raw scores changed after the score run; the selection does not use them. */
export function NewerScores({ run: { newerScores, scoreRun } }: { run: SelectionRun }) {
  const { t } = useTranslation('selection')
  if (newerScores === 0) return null
  return (
    <Alert color="yellow" variant="light" role="status">
      {t('page.newerScores', { number: wholeNumber(newerScores), name: scoreRun?.name })}
    </Alert>
  )
}
