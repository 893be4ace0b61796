import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { verifyCard } from '#domain/admissions/endpoints.ts'
import { ApiError } from '#web/api/client.ts'
import { useEndpoint } from '#web/api/query.ts'
import { LoadFailed } from '#web/ui/states/load-failed.tsx'
import { DateText } from '#web/ui/text/date-text.tsx'
import { Verdict } from '#web/ui/verdict.tsx'
import { useDue } from './use-due.ts'

/** Target of the QR code on registration cards and letters. Shows no name and no number that could be used elsewhere. */
export default function VerifyCardPage() {
  const { code = '' } = useParams()
  const { t } = useTranslation('registration')
  const due = useDue()
  const [checkedAt] = useState(() => new Date().toISOString())
  const { data, isPending, error, refetch } = useEndpoint(verifyCard, { params: { code } }, { quietAs: 'cardCheck' })
  const isUnknown = error instanceof ApiError && (error.status === 404 || error.status === 422)
  if (error && !data && !isUnknown) return <LoadFailed error={error} onRetry={refetch} />
  const card = data?.data
  const letter = card?.letter
  const verdict = isUnknown ? 'unknown' : card?.valid ? 'valid' : 'invalid'
  return (
    <Verdict
      title={t('verify.title')}
      isPending={isPending}
      tone={({ unknown: 'attention', valid: 'done', invalid: 'stopped' } as const)[verdict]}
      verdict={letter ? t(`verify.letterState.${letter.state}`) : t(`verify.${verdict}`)}
      hint={verdict === 'valid' ? undefined : t(letter ? 'verify.letterHint' : `verify.${verdict}Hint`)}
      facts={
        card
          ? [
              [t('verify.initials'), card.initials],
              [t(letter ? 'verify.number' : 'verify.code'), card.code],
              ...(letter
                ? ([
                    [t('verify.letter'), letter.title],
                    [t('verify.programme'), letter.programme ?? '—'],
                    [t('verify.issuedAt'), <DateText key="issuedAt" value={letter.issuedAt} />],
                  ] as const)
                : []),
              [t('verify.wave'), card.wave],
            ]
          : []
      }
      note={`${card ? `${t('verify.privacy')} ` : ''}${t('verify.checkedAt', { time: due(checkedAt) })}.`}
    />
  )
}
