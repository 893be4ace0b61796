import { Alert, Anchor, Button, Checkbox, Group, Stack, Text, TextInput } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { register } from '#domain/accounts/endpoints.ts'
import {
  emailProblem,
  nameProblem,
  newPasswordProblem,
  phoneProblem,
  repeatedPasswordProblem,
} from '#domain/accounts/fields.ts'
import { meantEmail } from '#domain/accounts/mistyped-email.ts'
import { sendOnce } from '#web/api/send.ts'
import { PasswordMeter } from '#web/modules/accounts/password-meter.tsx'
import { forgetReferral, keptDevice, keptReferral } from '#web/modules/accounts/referral.ts'
import { useAuthOptions } from '#web/modules/accounts/use-auth-options.ts'
import { useFields } from '#web/modules/accounts/use-fields.ts'
import { firstForm, useTakeOver } from '#web/shell/first-form.ts'
import { useSession } from '#web/shell/session/session.tsx'
import { PasswordInput } from '#web/ui/form/password-input.tsx'
import { Failure } from '#web/ui/states/failure.tsx'
import { keepLead, keptLead } from './lead-token.ts'
import { PrivacyNotice } from './privacy-notice.tsx'
import { forgetSignUp, keepSignUp, keptSignUp } from './sign-up-draft.ts'

type Props = {
  submitLabel: string
  /** Called after sign-in; the form may be unmounted by then. */
  onSignedUp?: () => void
}

const emptyForm = { name: '', email: '', phone: '', password: '', password_confirmation: '', consent: false }

/** Typed before the app was there. */
const drawnValues = ({ name, email, phone }: Partial<Record<string, string>> = {}) => ({
  ...(name && { name }),
  ...(email && { email }),
  ...(phone && { phone }),
})

/** Creates the account and signs in. The page decides where to go next. */
export function SignUpForm({ submitLabel, onSignedUp }: Props) {
  const { t } = useTranslation('accounts')
  const { signIn } = useSession()
  const { data: options } = useAuthOptions()
  const referral = keptReferral()
  const [first] = useState(firstForm)
  const fields = useFields(
    { ...emptyForm, ...keptSignUp(), ...drawnValues(first?.values) },
    (values) => ({
      name: nameProblem(values.name),
      email: emailProblem(values.email),
      phone: phoneProblem(values.phone),
      password: newPasswordProblem(values.password, values.email.trim()),
      password_confirmation: repeatedPasswordProblem(values.password, values.password_confirmation),
      consent: values.consent ? null : 'consent_required',
    }),
    emptyForm,
  )
  useTakeOver(({ consent, ...typed }) => fields.set({ ...typed, ...(consent && { consent: true }) }), fields.form)
  const { name, email, phone } = fields.values
  useEffect(() => keepSignUp({ name, email, phone }), [name, email, phone])

  const send = fields.submit(async ({ consent: _, ...values }) => {
    const device = keptDevice()
    const lead = keptLead()
    // By now the visit through a lead's link may have set an affiliate.
    const ref = keptReferral()
    const answer = await sendOnce(register, {
      body: {
        ...values,
        email: values.email.trim(),
        ...(ref && { ref }),
        ...(device && { device }),
        ...(lead && { lead }),
      },
    })
    await signIn(answer)
    forgetReferral()
    keepLead(null)
    forgetSignUp()
    onSignedUp?.()
  })
  // A mistyped address would get neither the confirmation nor any later mail. Asked once left, or when sending.
  const [emailLeft, setEmailLeft] = useState(false)
  const [rightEmail, setRightEmail] = useState('')
  const meant = email === rightEmail ? null : meantEmail(email)
  const meantButton = useRef<HTMLButtonElement>(null)
  const emailField = fields.text('email')
  const askOrSend = (event: React.FormEvent) => {
    if (!meant) return send(event)
    event.preventDefault()
    setEmailLeft(true)
    requestAnimationFrame(() => meantButton.current?.focus())
  }
  const emailTaken = fields.refusal?.errors.email !== undefined

  return (
    <form method="post" onSubmit={askOrSend} ref={fields.form} noValidate>
      <Stack gap="md">
        {/* Refusal of the form sent before the app was there, at the top because the page was loaded again. */}
        {!fields.busy && !fields.refusal && <Failure>{first?.failure}</Failure>}
        {referral && (
          <Alert variant="light" color="primary">
            {t('signUp.referral', { code: referral })}
          </Alert>
        )}
        <TextInput
          label={t('fields.name')}
          description={t('fields.nameHint')}
          autoComplete="name"
          required
          withAsterisk={false}
          {...fields.text('name')}
        />
        <div>
          <TextInput
            label={t('fields.email')}
            type="email"
            inputMode="email"
            autoComplete="email"
            autoCapitalize="none"
            spellCheck={false}
            required
            withAsterisk={false}
            {...emailField}
            onBlur={() => {
              emailField.onBlur()
              setEmailLeft(true)
            }}
          />
          <div role="status">
            {meant && emailLeft && (
              <Group gap="xs" mt="xs">
                <Text>{t('signUp.meantEmail', { email: meant })}</Text>
                <Button ref={meantButton} variant="light" onClick={() => fields.set({ email: meant })}>
                  {t('signUp.meantYes')}
                </Button>
                <Button variant="subtle" onClick={() => setRightEmail(email)}>
                  {t('signUp.meantNo')}
                </Button>
              </Group>
            )}
          </div>
          {emailTaken && (
            <Anchor component={Link} to="/password-reset" size="sm">
              {t('signUp.resetInstead')}
            </Anchor>
          )}
        </div>
        <TextInput
          label={t('fields.phone')}
          description={t('fields.phoneHint')}
          type="tel"
          inputMode="tel"
          autoComplete="tel"
          required
          withAsterisk={false}
          {...fields.text('phone')}
        />
        <PasswordInput
          label={t('fields.password')}
          autoComplete="new-password"
          required
          withAsterisk={false}
          {...fields.text('password')}
        />
        <PasswordMeter password={fields.values.password} />
        <PasswordInput
          label={t('fields.repeatPassword')}
          autoComplete="new-password"
          required
          withAsterisk={false}
          {...fields.text('password_confirmation')}
        />
        <div>
          <Checkbox
            label={
              options ? t('signUp.consent', { university: options.data.universityName }) : t('signUp.consentPlain')
            }
            required
            {...fields.box('consent')}
          />
          <PrivacyNotice version={options?.data.consentVersion} ownNotice={options?.data.privacyNotice} />
        </div>
        <Failure>{fields.formError}</Failure>
        <Button type="submit" loading={fields.busy} fullWidth>
          {submitLabel}
        </Button>
      </Stack>
    </form>
  )
}
