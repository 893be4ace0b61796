import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { verifyStudentCard } from '#domain/students/endpoints.ts'
import { ApiError } from '#web/api/client.ts'
import { useEndpoint } from '#web/api/query.ts'
import { useDue } from '#web/modules/admissions/use-due.ts'
import { LoadFailed } from '#web/ui/states/load-failed.tsx'
import { Verdict } from '#web/ui/verdict.tsx'

const tones = { valid: 'done', replaced: 'stopped', withdrawn: 'stopped', unknown: 'attention' } as const

/** Target of the QR code on a student card. Shows no name and no number. */
export default function VerifyStudentCardPage() {
  const { code = '' } = useParams()
  const { t } = useTranslation('students')
  const due = useDue()
  const [checkedAt] = useState(() => new Date().toISOString())
  const { data, isPending, error, refetch } = useEndpoint(
    verifyStudentCard,
    { params: { code } },
    { quietAs: 'cardCheck' },
  )
  const isUnknown = error instanceof ApiError && (error.status === 404 || error.status === 422)
  if (error && !data && !isUnknown) return <LoadFailed error={error} onRetry={refetch} />
  const card = data?.data
  const verdict = card?.state ?? 'unknown'
  return (
    <Verdict
      title={t('verify.title')}
      isPending={isPending}
      tone={tones[verdict]}
      verdict={t(`verify.${verdict}`)}
      hint={t(`verify.${verdict}Hint`)}
      facts={
        card
          ? [
              [t('verify.initials'), card.initials],
              [t('verify.programme'), card.programme],
            ]
          : []
      }
      note={`${card ? `${t('verify.privacy')} ` : ''}${t('verify.checkedAt', { time: due(checkedAt) })}.`}
    />
  )
}
