import { VisuallyHidden } from '@mantine/core'
import { IconCheck, IconCircleDot, IconX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { Stage } from '#domain/admissions/schemas.ts'
import { navigationConstants } from '#domain/navigation/constants.ts'
import { DateText } from '#web/ui/date-text.tsx'
import classes from './stepper.module.css'

const signs = { done: IconCheck, current: IconCircleDot, stopped: IconX, upcoming: null } as const

/** Where somebody stands, from registering to being a student. */
export function Stepper({ stages }: { stages: readonly Stage[] }) {
  const { t } = useTranslation(['registration', 'admissions'])
  const at = stages.findIndex(({ state }) => state === 'current' || state === 'stopped')
  const shown = stages[at === -1 ? stages.length - 1 : at]
  return (
    <div>
      <ol className={classes.steps} aria-label={t('whereIStand')}>
        {stages.map(({ key, state, at: since }) => {
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
              {since && (
                <span className={classes.date}>
                  <DateText value={since} />
                </span>
              )}
            </li>
          )
        })}
      </ol>
      {shown && (
        <p className={classes.now} aria-hidden="true" style={{ marginBottom: 0 }}>
          {t('stageOf', {
            number: at === -1 ? stages.length : at + navigationConstants.stepperStartIndex,
            count: stages.length,
            name: t(`admissions:stage.${shown.key}`),
          })}
        </p>
      )}
    </div>
  )
}
