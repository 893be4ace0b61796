import { Alert, Anchor } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { FieldErrors } from '#web/api/client.ts'
import classes from '#web/modules/admissions/apply/form.module.css'
import { stepOfField } from '#web/modules/admissions/apply/registration-form.ts'
import { MissingAnswers } from './missing-answers.tsx'

type Props = { errors: FieldErrors; message: string; registrationId: string | null | undefined }

/** Everything that blocks submission, each with a link to the screen that fixes it. */
export function RefusedAnswers({ errors, message, registrationId }: Props) {
  const { t } = useTranslation('registration')
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    box.current?.focus()
    box.current?.scrollIntoView({ block: 'center' })
  }, [])
  const profileFields = Object.keys(errors)
    .filter((field) => stepOfField(field) === 'profile')
    .map((field) => field.slice('profile.'.length))
  const otherErrors = Object.entries(errors).filter(([field]) => stepOfField(field) !== 'profile')
  return (
    <Alert color="red" variant="light" title={t('form.missing')} role="alert" ref={box} tabIndex={-1}>
      <p style={{ marginTop: 0 }}>{profileFields.length + otherErrors.length > 0 ? t('form.missingHint') : message}</p>
      <ul className={classes.list}>
        <MissingAnswers fields={profileFields} registrationId={registrationId ?? undefined} />
        {otherErrors.map(([field, sentences]) => {
          const step = stepOfField(field)
          return (
            <li key={field}>
              {step && step !== 'profile' ? (
                <Anchor component={Link} to={`/pendaftaran/create?step=${step}`} underline="always" c="inherit">
                  {sentences.join(' ')}
                </Anchor>
              ) : (
                sentences.join(' ')
              )}
            </li>
          )
        })}
      </ul>
    </Alert>
  )
}
