import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { RegistrationStatus, ShownResult } from '#domain/admissions/registration-status.ts'
import type { TodoItem } from '#domain/admissions/schemas.ts'
import { reasonSentence } from '#domain/documents/reject-reasons.ts'
import { rupiah } from '#locales/format.ts'
import { useStepParams } from '#web/modules/admissions/use-due.ts'
import classes from './hero.module.css'
import { afterKeys, hasEnded, leadsToStep, pathOfStep, sentenceKeys } from './next-step.ts'

type Props = {
  registration: {
    id: string
    code: string
    track: string
    status: RegistrationStatus
    result: ShownResult
    nextStep: TodoItem | null
  }
  /** Hides the registration's code, which its own page shows above. */
  onRegistrationPage?: boolean
}

/** One sentence about the current step and its deadline, then one button. */
export function NextStepHero({ registration, onRegistrationPage }: Props) {
  const { t } = useTranslation(['registration', 'admissions', 'dashboard'])
  const params = useStepParams()
  const { nextStep, status, result, id } = registration
  const isOver = hasEnded(status) || result === 'not_accepted' || status === 'enrolled'
  const tone = isOver
    ? status === 'enrolled'
      ? 'done'
      : 'stopped'
    : nextStep?.state === 'todo'
      ? 'attention'
      : nextStep?.state === 'blocked'
        ? 'waiting'
        : 'progress'
  const followingKeys = afterKeys(registration)
  const blockedBy = !isOver && nextStep?.state === 'blocked' && nextStep.blockedBy
  const target = isOver
    ? `/pendaftaran/${id}`
    : nextStep && leadsToStep(nextStep)
      ? pathOfStep(nextStep, id)
      : `/pendaftaran/${id}`
  const label = isOver
    ? t(status === 'enrolled' ? 'act.studentNumber' : result === 'not_accepted' ? 'act.result' : 'act.open')
    : nextStep && leadsToStep(nextStep)
      ? t(`act.${nextStep.key}`)
      : t('act.open')
  const leadsHere = onRegistrationPage && target === `/pendaftaran/${id}`
  const Sentence = onRegistrationPage ? 'p' : 'h1'
  return (
    <section className={classes.hero} data-tone={tone}>
      {!onRegistrationPage && (
        <p className={classes.about}>
          {t('dashboard:forRegistration', { code: registration.code, track: registration.track })}
        </p>
      )}
      <Sentence className={classes.sentence}>
        {t(sentenceKeys(registration, new Date()), { ...params(nextStep) })}.
      </Sentence>
      {blockedBy && (
        <p className={classes.then}>
          {t(`admissions:blocked.${blockedBy}`, { ...params(nextStep) })}{' '}
          {t('turn', { who: t(`admissions:todoActor.${nextStep.actor}`) })}
        </p>
      )}
      {nextStep?.params.takenBack !== undefined && !isOver && (
        <p className={classes.then}>
          {t('takenBack', {
            amount: rupiah(Number(nextStep.params.takenBack)),
            reason: String(nextStep.params.reason ?? ''),
          })}
        </p>
      )}
      {nextStep?.params.document !== undefined && !isOver && <RefusedDocument params={nextStep.params} />}
      {!blockedBy && followingKeys.length > 0 && <p className={classes.then}>{t(followingKeys)}</p>}
      {!leadsHere && (
        <div className={classes.action}>
          <Button
            component={Link}
            to={target}
            size="lg"
            variant={nextStep?.state === 'todo' || isOver ? 'filled' : 'default'}
          >
            {label}
          </Button>
        </div>
      )}
    </section>
  )
}

/** Name and reason of a refused document. A component of its own, so that other heroes load no sentences about documents. */
function RefusedDocument({ params }: Pick<TodoItem, 'params'>) {
  const { t } = useTranslation('documents')
  const reason = reasonSentence(String(params.reason ?? ''), t)
  return (
    <p className={classes.then}>
      {String(params.document)}: {reason}
    </p>
  )
}
