import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import {
  type Campaign,
  campaignSteps,
  continueCampaign,
  deleteCampaign,
  readCampaign,
} from '#domain/campaigns/endpoints.ts'
import { campaignPath, screenOf } from '#domain/campaigns/screens.ts'
import { wholeNumber } from '#locales/format.ts'
import { keyOf } from '#web/api/query.ts'
import { sendOnce } from '#web/api/send.ts'
import { useAction } from '#web/api/use-action.ts'
import { useMoment } from '#web/modules/campaigns/staff/use-campaign-words.ts'
import { ConfirmButton } from '#web/ui/confirm-button.tsx'
import { useDoubleTapGuard } from '#web/ui/form/double-tap.ts'
import { peopleIn } from './progress.ts'
import { ScheduleDialog } from './schedule-dialog.tsx'
import { TestDialog } from './test-dialog.tsx'

type Step = keyof typeof campaignSteps
type Dialog = 'release' | 'reschedule' | 'test'

/** Buttons for the steps the user may take, and for a test message. */
export function StepButtons({ campaign }: { campaign: Campaign }) {
  const { t } = useTranslation('send')
  const navigate = useNavigate()
  const { running, act, actOrThrow } = useAction(keyOf(readCampaign))
  const [dialog, setDialog] = useState<Dialog | null>(null)
  const { id, version, state, may, audience, counts, reachable, retryable, startsAt } = campaign
  const momentOf = useMoment()
  // Pause and resume replace each other in the same place, so a double tap would undo the step.
  const tapGuard = useDoubleTapGuard(state)
  const params = { id }
  const number = (count: number) => ({ count, formatted: wholeNumber(count) })
  const offers = (step: Campaign['may'][number]) => may.includes(step)

  const callStep = (step: Step) => () => sendOnce(campaignSteps[step], { params, body: { version } })
  const done = (step: Step) => () => t(`stepDone.${step}`)
  const plainStep = (step: Step, variant: 'filled' | 'default') =>
    offers(step) && (
      <Button
        style={tapGuard}
        variant={variant}
        loading={running === step}
        onClick={() => act(step, callStep(step), done(step))}
      >
        {t(step === 'plan' && state === 'planned' ? 'step.planAnew' : `step.${step}`)}
      </Button>
    )

  return (
    <>
      {state === 'draft' && plainStep('plan', 'filled')}
      {offers('approve') && (
        <ConfirmButton
          title={t('confirm.approveTitle')}
          message={t(startsAt ? 'confirm.approveLater' : 'confirm.approve', {
            ...number(reachable),
            ...(startsAt && momentOf(startsAt)),
          })}
          confirmLabel={t('step.approve')}
          onConfirm={() => actOrThrow('approve', callStep('approve'), done('approve'))}
        >
          {t('step.approve')}
        </ConfirmButton>
      )}
      {plainStep('pause', 'filled')}
      {plainStep('resume', 'filled')}
      {offers('release') && <Button onClick={() => setDialog('release')}>{t('step.release')}</Button>}
      {offers('reschedule') && (
        <Button variant="default" onClick={() => setDialog('reschedule')}>
          {t('step.reschedule')}
        </Button>
      )}
      {offers('retry') && (
        <ConfirmButton
          variant="default"
          title={t('confirm.retryTitle')}
          message={t('confirm.retry', number(retryable))}
          confirmLabel={t('step.retry')}
          onConfirm={() => actOrThrow('retry', callStep('retry'), done('retry'))}
        >
          {t('step.retry')}
        </ConfirmButton>
      )}
      {offers('update') && (
        <Button component={Link} to={`${campaignPath(campaign)}/edit`} variant="default">
          {t('step.update')}
        </Button>
      )}
      {offers('edit') && (
        <ConfirmButton
          variant="default"
          title={t('confirm.editTitle')}
          message={t('confirm.edit', number(reachable))}
          confirmLabel={t('step.edit')}
          onConfirm={async () => {
            await actOrThrow('edit', callStep('edit'))
            navigate(`${campaignPath(campaign)}/edit`)
          }}
        >
          {t('step.edit')}
        </ConfirmButton>
      )}
      {state !== 'draft' && plainStep('plan', 'default')}
      {offers('continue') && (
        <ConfirmButton
          variant="default"
          title={t('confirm.continueTitle')}
          message={t(state === 'paused' ? 'confirm.continuePaused' : 'confirm.continue')}
          confirmLabel={t('step.continue')}
          onConfirm={async () => {
            const { data } = await actOrThrow('continue', () =>
              sendOnce(continueCampaign, { params, body: { version } }),
            )
            navigate(`${campaignPath(data)}/edit`)
          }}
        >
          {t('step.continue')}
        </ConfirmButton>
      )}
      {state !== 'cancelled' && (
        <Button variant="default" onClick={() => setDialog('test')}>
          {t('step.test')}
        </Button>
      )}
      {offers('cancel') && state !== 'draft' && (
        <ConfirmButton
          variant="default"
          c="var(--mantine-color-error)"
          title={t('confirm.cancelTitle')}
          message={t('confirm.cancel', number(peopleIn(counts, 'planned')))}
          confirmLabel={t('step.cancel')}
          onConfirm={() => actOrThrow('cancel', callStep('cancel'), done('cancel'))}
        >
          {t('step.cancel')}
        </ConfirmButton>
      )}
      {offers('update') && (
        <ConfirmButton
          variant="default"
          c="var(--mantine-color-error)"
          title={t('confirm.deleteTitle')}
          message={t('confirm.delete')}
          onConfirm={async () => {
            await sendOnce(deleteCampaign, { params, query: { version } })
            navigate(screenOf(audience).path, { replace: true })
          }}
        >
          {t('step.delete')}
        </ConfirmButton>
      )}
      {dialog === 'test' && <TestDialog campaign={campaign} onClose={() => setDialog(null)} />}
      {(dialog === 'release' || dialog === 'reschedule') && (
        <ScheduleDialog campaign={campaign} step={dialog} onClose={() => setDialog(null)} />
      )}
    </>
  )
}
