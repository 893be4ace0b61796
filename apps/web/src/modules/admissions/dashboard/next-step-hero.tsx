import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { RegistrationStatus, ShownResult } from '#domain/admissions/registration-status.ts'
import type { TodoItem } from '#domain/admissions/schemas.ts'
import { rupiah } from '#locales/format.ts'
import { useStepParams } from '#web/modules/admissions/use-due.ts'
import classes from './hero.module.css'
import { afterKeys, hasEnded, pathOfStep, sentenceKeys } from './next-step.ts'

type Props = {
  registration: {
    id: string
    code: string
    track: string
    status: RegistrationStatus
    result: ShownResult
    nextStep: TodoItem | null
  }
  /** On the registration's own page the name of the registration stands above already. */
  inside?: boolean
}

/** First of all one sentence: what happens now and until when. Then one button. */
export function NextStepHero({ registration, inside }: Props) {
  const { t } = useTranslation(['registration', 'admissions', 'dashboard'])
  const params = useStepParams()
  const { nextStep, status, result, id } = registration
  const over = hasEnded(status) || result === 'not_accepted' || status === 'enrolled'
  const tone = over
    ? status === 'enrolled'
      ? 'done'
      : 'stopped'
    : nextStep?.state === 'todo'
      ? 'attention'
      : nextStep?.state === 'blocked'
        ? 'waiting'
        : 'progress'
  const after = afterKeys(registration)
  const blocked = !over && nextStep?.state === 'blocked' && nextStep.blockedBy
  const target = over
    ? `/pendaftaran/${id}`
    : nextStep?.state === 'todo'
      ? pathOfStep(nextStep, id)
      : `/pendaftaran/${id}`
  const label = over
    ? t(status === 'enrolled' ? 'act.studentNumber' : result === 'not_accepted' ? 'act.result' : 'act.open')
    : nextStep?.state === 'todo'
      ? t(`act.${nextStep.key}`)
      : t('act.open')
  const leadsHere = inside && target === `/pendaftaran/${id}`
  const Sentence = inside ? 'p' : 'h1'
  return (
    <section className={classes.hero} data-tone={tone}>
      {!inside && (
        <p className={classes.about}>
          {t('dashboard:forRegistration', { code: registration.code, track: registration.track })}
        </p>
      )}
      <Sentence className={classes.sentence}>
        {t(sentenceKeys(registration) as never, { ...params(nextStep) })}.
      </Sentence>
      {blocked && (
        <p className={classes.then}>
          {t(`admissions:blocked.${blocked}` as never, { ...params(nextStep) })}{' '}
          {t('turn', { who: t(`admissions:todoActor.${nextStep.actor}`) })}
        </p>
      )}
      {nextStep?.params.takenBack !== undefined && !over && (
        <p className={classes.then}>
          {t('takenBack', {
            amount: rupiah(Number(nextStep.params.takenBack)),
            reason: String(nextStep.params.reason ?? ''),
          })}
        </p>
      )}
      {!blocked && after.length > 0 && <p className={classes.then}>{t(after as never)}</p>}
      {!leadsHere && (
        <div className={classes.action}>
          <Button
            component={Link}
            to={target}
            size="lg"
            variant={nextStep?.state === 'todo' || over ? 'filled' : 'default'}
          >
            {label}
          </Button>
        </div>
      )}
    </section>
  )
}
