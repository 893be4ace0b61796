import { Stack, Text, Title } from '@mantine/core'
import { IconCircleCheck, IconCircleX, IconQuestionMark } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { verifyCard } from '#domain/admissions/endpoints.ts'
import { ApiError } from '#web/api/client.ts'
import { useEndpoint } from '#web/api/query.ts'
import { Card } from '#web/ui/card.tsx'
import { LoadFailed } from '#web/ui/states/load-failed.tsx'
import { LoadingRows } from '#web/ui/states/loading-rows.tsx'
import { DateText } from '#web/ui/text/date-text.tsx'
import classes from './registration/registration-overview.module.css'
import { useDue } from './use-due.ts'

/** Target of the QR code on registration cards and letters. Shows no name and no number that could be used elsewhere. */
export default function VerifyCardPage() {
  const { code = '' } = useParams()
  const { t } = useTranslation(['registration', 'common'])
  const due = useDue()
  const [checkedAt] = useState(() => new Date().toISOString())
  const { data, isPending, error, refetch } = useEndpoint(verifyCard, { params: { code } }, { quietAs: 'cardCheck' })
  const letter = data?.data.letter
  const isUnknown = error instanceof ApiError && (error.status === 404 || error.status === 422)
  if (error && !data && !isUnknown) return <LoadFailed error={error} onRetry={refetch} />
  const Sign = isUnknown ? IconQuestionMark : data?.data.valid ? IconCircleCheck : IconCircleX
  const verdict = isUnknown ? 'unknown' : data?.data.valid ? 'valid' : 'invalid'
  return (
    <Stack maw={480} mx="auto" gap="lg">
      <Title order={1}>{t('verify.title')}</Title>
      <Card>
        {isPending ? (
          <LoadingRows rows={4} />
        ) : (
          <Stack gap="md">
            <Stack align="center" gap={4} ta="center" role="status">
              <Sign
                size={72}
                stroke={1.5}
                aria-hidden="true"
                color={`var(--pmb-tone-${{ unknown: 'attention', valid: 'done', invalid: 'stopped' }[verdict]})`}
              />
              <Title order={2}>{letter ? t(`verify.letterState.${letter.state}`) : t(`verify.${verdict}`)}</Title>
              {verdict !== 'valid' && (
                <Text c="dimmed">{t(letter ? 'verify.letterHint' : `verify.${verdict}Hint`)}</Text>
              )}
            </Stack>
            {data && (
              <dl className={classes.facts}>
                <dt>{t('verify.initials')}</dt>
                <dd style={{ fontWeight: 600 }}>{data.data.initials}</dd>
                <dt>{t(letter ? 'verify.number' : 'verify.code')}</dt>
                <dd>{data.data.code}</dd>
                {letter && (
                  <>
                    <dt>{t('verify.letter')}</dt>
                    <dd>{letter.title}</dd>
                    <dt>{t('verify.programme')}</dt>
                    <dd>{letter.programme ?? '—'}</dd>
                    <dt>{t('verify.issuedAt')}</dt>
                    <dd>
                      <DateText value={letter.issuedAt} />
                    </dd>
                    {letter.validUntil && (
                      <>
                        <dt>{t('verify.validUntil')}</dt>
                        <dd>
                          <DateText value={letter.validUntil} />
                        </dd>
                      </>
                    )}
                  </>
                )}
                <dt>{t('verify.wave')}</dt>
                <dd>{data.data.wave}</dd>
              </dl>
            )}
            <Text size="sm" c="dimmed">
              {data && `${t('verify.privacy')} `}
              {t('verify.checkedAt', { time: due(checkedAt) })}.
            </Text>
          </Stack>
        )}
      </Card>
    </Stack>
  )
}
