import { Anchor, Button, Stack } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router'
import { reasonSentence } from '#domain/documents/reject-reasons.ts'
import { readLicence, reviewLicence, type StudentLicence } from '#domain/students/licences/endpoints.ts'
import { longDate } from '#locales/format.ts'
import { useEndpoint } from '#web/api/query.ts'
import { useForm } from '#web/api/use-form.ts'
import { LoadingRecord } from '#web/shell/record-failed.tsx'
import { useSession } from '#web/shell/session/session.tsx'
import { usePageTitle } from '#web/shell/title.tsx'
import { Card } from '#web/ui/card.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Failure } from '#web/ui/states/failure.tsx'
import { StatusDot } from '#web/ui/text/status-dot.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { stateTones, validityTones } from './licence-tones.ts'
import { RefuseDialog } from './refuse-dialog.tsx'
import { Scan } from './scan.tsx'

/** One driving licence beside its scan, to verify or refuse. */
export default function LicencePage() {
  const { id = '' } = useParams()
  const { data, error, refetch } = useEndpoint(readLicence, { params: { id } })
  usePageTitle(data?.data.name)
  if (!data) return <LoadingRecord error={error} onRetry={refetch} rows={6} />
  return <Licence licence={data.data} />
}

function Licence({ licence }: { licence: StudentLicence }) {
  const { t } = useTranslation(['licences', 'documents'])
  const { language } = useSurroundings()
  const { may } = useSession()
  const [isRefusing, setRefusing] = useState(false)
  const { id, version, name, state, validity, rejectReason, reviewedBy, reviewedAt } = licence
  const verifying = useForm({
    call: reviewLicence,
    params: { id },
    body: { version, verdict: 'approved' },
    done: t('verified'),
  })
  return (
    <>
      <PageHeader
        title={name}
        actions={
          state !== 'no_scan' && (
            <>
              {state !== 'rejected' && (
                <Button variant="default" onClick={() => setRefusing(true)} children={t('refuse.open')} />
              )}
              {state !== 'approved' && validity !== 'expired' && (
                <Button loading={verifying.busy} onClick={() => void verifying.send().catch(() => {})}>
                  {t('verify')}
                </Button>
              )}
            </>
          )
        }
      />
      <Stack>
        <Failure>{verifying.formError}</Failure>
        <Card>
          <Facts
            facts={[
              [t('column.state'), <StatusDot key="state" tone={stateTones[state]} label={t(`state.${state}`)} />],
              [t('refuse.reason'), rejectReason && reasonSentence(rejectReason, (key) => t(`documents:${key}`))],
              [t('column.class'), licence.class],
              [t('column.number'), licence.number],
              [t('column.expiresOn'), longDate(licence.expiresOn, language)],
              [
                t('column.validity'),
                <StatusDot key="validity" tone={validityTones[validity]} label={t(`validity.${validity}`)} />,
              ],
              [
                t('reviewed'),
                reviewedAt && t('reviewedBy', { when: longDate(reviewedAt, language), who: reviewedBy ?? t('system') }),
              ],
              [t('column.npm'), licence.npm],
              [
                t('column.code'),
                may('pendaftaran-view') ? (
                  <Anchor key="code" component={Link} to={`/pendaftaran/${licence.registrationId}`}>
                    {licence.code}
                  </Anchor>
                ) : (
                  licence.code
                ),
              ],
            ]}
          />
        </Card>
        <Card title={t('scan.title')}>{state === 'no_scan' ? t('scan.none') : <Scan licence={licence} />}</Card>
      </Stack>
      {isRefusing && <RefuseDialog licence={licence} onClose={() => setRefusing(false)} />}
    </>
  )
}
