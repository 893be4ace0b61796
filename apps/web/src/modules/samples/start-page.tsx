import { Button, Stack } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { Failure } from '#web/ui/states/failure.tsx'
import { LoadingRows } from '#web/ui/states/loading-rows.tsx'
import { Missing } from '#web/ui/states/missing.tsx'
import { GuidePage, Sample } from './guide.tsx'
import { kindAt, samplePaths } from './sample-rows.ts'

/** States of a page before it has content: empty, loading and failed. */
export default function StartPage() {
  const { t } = useTranslation('samples')
  const { pathname } = useLocation()
  const kind = kindAt(pathname)
  const [isLoading, setLoading] = useState(false)
  const [isFailed, setFailed] = useState(true)
  const [hasRefusal, setRefusal] = useState(false)
  return (
    <GuidePage>
      <Sample code="<EmptyState>" file="ui/states/empty-state.tsx" when={t('when.emptyState')}>
        <Card>
          <EmptyState title={t(`start.${kind}`)}>
            <Button
              component={Link}
              to={kind === 'customers' ? samplePaths.customers.list : '/apps/subscriptions/add-subscription'}
              children={t(kind === 'customers' ? 'start.toList' : 'list.add')}
            />
          </EmptyState>
        </Card>
      </Sample>
      <Sample code="<LoadingRows>" file="ui/states/loading-rows.tsx" when={t('when.loadingRows')}>
        <Stack align="flex-start">
          <Button variant="default" aria-pressed={isLoading} onClick={() => setLoading(!isLoading)}>
            {t(isLoading ? 'start.hideLoading' : 'start.showLoading')}
          </Button>
          {isLoading && (
            <Card>
              <LoadingRows rows={3} />
            </Card>
          )}
        </Stack>
      </Sample>
      <Sample code="<Missing>" file="ui/states/missing.tsx" when={t('when.missing')}>
        {isFailed ? (
          <Missing what={t(`${kind}.title`)} error={{ message: t('start.failure') }} onRetry={() => setFailed(false)} />
        ) : (
          <Button variant="default" onClick={() => setFailed(true)} children={t('start.failAgain')} />
        )}
      </Sample>
      <Sample code="<Failure>" file="ui/states/failure.tsx" when={t('when.failure')}>
        <Stack align="flex-start">
          <Failure>{hasRefusal ? t('start.refusal') : null}</Failure>
          <Button onClick={() => setRefusal(!hasRefusal)}>
            {t(hasRefusal ? 'start.hideRefusal' : 'start.showRefusal')}
          </Button>
        </Stack>
      </Sample>
    </GuidePage>
  )
}
