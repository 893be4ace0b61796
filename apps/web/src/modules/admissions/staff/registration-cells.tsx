import { VisuallyHidden } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { RegistrationRow } from '#domain/admissions/lists.ts'
import { StatusDot } from '#web/ui/text/status-dot.tsx'
import { documentsTone, resultTone, statusTone } from './tones.ts'

type Props = { row: RegistrationRow }

function Status({ row }: Props) {
  const { t } = useTranslation('staff')
  return <StatusDot tone={statusTone[row.status]} label={t(`status.${row.status}`)} />
}

function Documents({ row }: Props) {
  const { t } = useTranslation('staff')
  const state = row.documentsState as 'missing'
  return <StatusDot tone={documentsTone[state] ?? 'waiting'} label={t(`documents.${state}`)} />
}

/** The decision, which staff see before it is published. */
function Result({ row }: Props) {
  const { t } = useTranslation('staff')
  if (row.result !== 'waiting') return <StatusDot tone={resultTone[row.result]} label={t(`result.${row.result}`)} />
  if (row.decision)
    return <StatusDot tone="progress" label={`${t(`decision.${row.decision as 'accepted'}`)} (${t('unpublished')})`} />
  return (
    <>
      <span aria-hidden="true">—</span>
      <VisuallyHidden>{t('result.waiting')}</VisuallyHidden>
    </>
  )
}

/** Cells of the list of registrations that need special markup. */
export const cellsOfRegistration = {
  code: (row: RegistrationRow) => <span className="tabular">{row.code}</span>,
  phone: (row: RegistrationRow) => <span className="tabular">{row.phone ?? '—'}</span>,
  status: (row: RegistrationRow) => <Status row={row} />,
  documentsState: (row: RegistrationRow) => <Documents row={row} />,
  result: (row: RegistrationRow) => <Result row={row} />,
}
