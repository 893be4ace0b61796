import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { type VerifiedDocument, verifyDocument } from '#domain/verification/endpoints.ts'
import { ApiError } from '#web/api/client.ts'
import { useEndpoint } from '#web/api/query.ts'
import { useDue } from '#web/modules/admissions/use-due.ts'
import { useScreenTitle } from '#web/shell/title.tsx'
import { LoadFailed } from '#web/ui/states/load-failed.tsx'
import { DateText } from '#web/ui/text/date-text.tsx'
import { type Fact, Verdict } from '#web/ui/verdict.tsx'

/** Target of the QR code on all printed documents. Shows no name or number that could be misused elsewhere. */
export default function VerificationPage() {
  const { code = '' } = useParams()
  const { t } = useTranslation('verification')
  const due = useDue()
  const title = useScreenTitle()
  const [checkedAt] = useState(() => new Date().toISOString())
  const { data, isPending, error, refetch } = useEndpoint(
    verifyDocument,
    { params: { code } },
    { quietAs: 'cardCheck' },
  )
  const factsOf = useFacts()
  const isUnknown = error instanceof ApiError && (error.status === 404 || error.status === 422)
  if (error && !data && !isUnknown) return <LoadFailed error={error} onRetry={refetch} />
  const document = data?.data
  const state = document?.state ?? 'unknown'
  return (
    <Verdict
      title={title}
      isPending={isPending}
      tone={state === 'valid' ? 'done' : state === 'unknown' ? 'attention' : 'stopped'}
      verdict={t(`state.${state}`)}
      hint={state === 'valid' ? undefined : t(`hint.${state}`)}
      facts={document ? factsOf(document) : []}
      note={`${document ? `${t('privacy')} ` : ''}${t('checkedAt', { time: due(checkedAt) })}.`}
    />
  )
}

function useFacts() {
  const { t } = useTranslation('verification')
  return (document: VerifiedDocument): Fact[] => [
    [t('kind'), t(`kinds.${document.kind}`)],
    ...(document.kind === 'letter' ? ([[t('title'), document.title]] as const) : []),
    [t('initials'), document.initials],
    [t('programme'), document.programme],
    ...(document.kind === 'registration-card'
      ? ([
          [t('code'), document.code],
          [t('wave'), document.wave],
          ...(document.stage ? ([[t('stage'), t(`stages.${document.stage}`)]] as const) : []),
        ] as const)
      : []),
    ...(document.kind === 'letter'
      ? ([
          [t('number'), document.number],
          [t('wave'), document.wave],
          [t('issuedAt'), <DateText key="issuedAt" value={document.issuedAt} />],
          ...(document.validUntil
            ? ([[t('validUntil'), <DateText key="validUntil" value={document.validUntil} />]] as const)
            : []),
        ] as const)
      : []),
  ]
}
