import { VisuallyHidden } from '@mantine/core'
import { IconCheck, IconCircleDot, IconX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { Stage } from '#domain/admissions/schemas.ts'
import { navigationConstants } from '#domain/navigation/constants.ts'
import { DateText } from '#web/ui/text/date-text.tsx'
import classes from './stepper.module.css'

const signs = { done: IconCheck, current: IconCircleDot, stopped: IconX, upcoming: null } as const

type Props = {
  stages: readonly Stage[]
  /** One step below another, all named even on phones. */
  isVertical?: boolean
}

/** Progress of a registration, from registering to becoming a student. */
export function Stepper({ stages, isVertical = false }: Props) {
  const { t } = useTranslation(['registration', 'admissions'])
  const currentIndex = stages.findIndex(({ state }) => state === 'current' || state === 'stopped')
  const currentStage = stages[currentIndex === -1 ? stages.length - 1 : currentIndex]
  return (
    <div>
      <ol className={classes.steps} data-vertical={isVertical || undefined} aria-label={t('whereIStand')}>
        {stages.map(({ key, state, at: reachedAt }) => {
          const Sign = signs[state]
          return (
            <li
              key={key}
              className={classes.step}
              data-state={state}
              aria-current={state === 'current' ? 'step' : undefined}
            >
              <span className={classes.name}>
                {Sign && <Sign size={16} className={classes.sign} aria-hidden="true" />}
                {t(`admissions:stage.${key}`)}
                <VisuallyHidden>({t(`stageState.${state}`)})</VisuallyHidden>
              </span>
              {reachedAt && (
                <span className={classes.date}>
                  <DateText value={reachedAt} />
                </span>
              )}
            </li>
          )
        })}
      </ol>
      {currentStage && !isVertical && (
        <p className={classes.now} aria-hidden="true" style={{ marginBottom: 0 }}>
          {t('stageOf', {
            number: currentIndex === -1 ? stages.length : currentIndex + navigationConstants.stepperStartIndex,
            count: stages.length,
            name: t(`admissions:stage.${currentStage.key}`),
          })}
        </p>
      )}
    </div>
  )
}
