import { Button, Stack } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { readCampusToken, revokeCampusToken } from '#domain/students/campus/endpoints.ts'
import { listCampusCalls } from '#domain/students/campus/lists.ts'
import { dateTime } from '#locales/format.ts'
import { useEndpoint } from '#web/api/query.ts'
import { ListCard } from '#web/list/list-card.tsx'
import { LoadingRecord } from '#web/shell/record-failed.tsx'
import { useSession } from '#web/shell/session/session.tsx'
import { usePageTitle } from '#web/shell/title.tsx'
import { Card } from '#web/ui/card.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { StatusDot } from '#web/ui/text/status-dot.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { RevokeDialog } from './revoke-dialog.tsx'

/** A token: what it can read, and its calls. */
export default function CampusTokenPage() {
  const { id = '' } = useParams()
  const { t } = useTranslation('campus')
  const { language } = useSurroundings()
  const { may } = useSession()
  const [isRevoking, setRevoking] = useState(false)
  const { data, error, refetch } = useEndpoint(readCampusToken, { params: { id } })
  const token = data?.data
  usePageTitle(token?.name)
  if (!token) return <LoadingRecord error={error} onRetry={refetch} rows={6} />
  const time = (moment: string) => dateTime(moment, language)
  const { revokedAt, revokedBy, revokedReason, programmes } = token
  return (
    <>
      <PageHeader
        title={token.name}
        actions={
          !revokedAt &&
          may(revokeCampusToken.access) && (
            <Button variant="default" onClick={() => setRevoking(true)}>
              {t('revoke.action')}
            </Button>
          )
        }
      />
      <Stack>
        <Card>
          <Facts
            facts={[
              [
                t('column.state'),
                revokedAt ? (
                  <StatusDot key="state" tone="stopped" label={t('state.revoked')} />
                ) : (
                  <StatusDot key="state" tone="done" label={t('state.active')} />
                ),
              ],
              ...(revokedAt
                ? ([
                    [
                      t('detail.revokedAt'),
                      t('detail.revokedBy', { when: time(revokedAt), by: revokedBy, reason: revokedReason }),
                    ],
                  ] as const)
                : []),
              [t('column.withIdentity'), t(token.withIdentity ? 'yes' : 'no')],
              [t('column.programmes'), programmes?.join(', ') ?? t('everyProgramme')],
              [t('column.createdAt'), time(token.createdAt)],
              [t('column.createdBy'), token.createdBy],
              [t('column.lastUsedAt'), token.lastUsedAt ? time(token.lastUsedAt) : t('neverUsed')],
            ]}
          />
        </Card>
        <ListCard
          list={listCampusCalls}
          prefix="c."
          title={t('calls.title')}
          params={{ id }}
          rowTitle={({ at }) => time(at)}
          cells={{
            outcome: ({ outcome }) => (
              <StatusDot tone={outcome === 'answered' ? 'done' : 'stopped'} label={t(`outcome.${outcome}`)} />
            ),
          }}
          empty={{ title: t('calls.empty'), text: t('calls.emptyText') }}
        />
      </Stack>
      {isRevoking && (
        <RevokeDialog token={token} onDone={() => setRevoking(false)} onClose={() => setRevoking(false)} />
      )}
    </>
  )
}
