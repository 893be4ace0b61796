import { Text, VisuallyHidden } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { passwordKinds, passwordParts, passwordScore } from '#domain/accounts/password.ts'
import classes from './password-meter.module.css'

const tones = { 0: 'stopped', 25: 'stopped', 50: 'attention', 75: 'progress', 100: 'done' } as const
type Score = keyof typeof tones

/** Password strength: a bar, a word and the rules it meets. */
export function PasswordMeter({ password }: { password: string }) {
  const { t } = useTranslation('accounts')
  const score = passwordScore(password) as Score
  const parts = passwordParts(password)
  return (
    <div>
      <div
        role="meter"
        aria-label={t('meter.label')}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={score}
        aria-valuetext={password ? t(`meter.score_${score}`) : ''}
        className={classes.bar}
        style={{ '--meter': `var(--pmb-tone-${tones[score]})` } as React.CSSProperties}
      >
        {passwordKinds.map((kind, index) => (
          <span key={kind} className={classes.part} data-filled={score > index * 25 || undefined} />
        ))}
      </div>
      <Text size="sm" mt={4} aria-live="polite">
        {t('meter.label')}: {password ? t(`meter.score_${score}`) : '—'}
      </Text>
      <ul className={classes.parts}>
        {(['length', ...passwordKinds] as const).map((part) => (
          <li key={part} data-met={parts[part] || undefined}>
            <span aria-hidden="true">{parts[part] ? '✓' : '○'} </span>
            {t(`meter.${part}`)}
            <VisuallyHidden>: {parts[part] ? t('meter.met') : t('meter.missing')}</VisuallyHidden>
          </li>
        ))}
      </ul>
    </div>
  )
}
