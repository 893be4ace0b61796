import { Button, Group, SegmentedControl, Stack, Text, TextInput, useMantineColorScheme } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  type Account,
  changeEmail,
  changePassword,
  exportAccount,
  getAccount,
  listSessions,
  updatePreferences,
} from '#domain/accounts/endpoints.ts'
import { emailProblem, newPasswordProblem, repeatedPasswordProblem } from '#domain/accounts/fields.ts'
import { universityCalendar } from '#domain/calendar.ts'
import type { Language } from '#entities/define/language.ts'
import { longDate } from '#locales/format.ts'
import { ApiError, download } from '#web/api/client.ts'
import { keyOf } from '#web/api/query.ts'
import { sendOnce } from '#web/api/send.ts'
import { PasswordMeter } from '#web/modules/accounts/password-meter.tsx'
import { useFields } from '#web/modules/accounts/use-fields.ts'
import { setLanguage, useLanguage } from '#web/shell/language.ts'
import { Card } from '#web/ui/card.tsx'
import { PasswordInput } from '#web/ui/form/password-input.tsx'
import { Failure } from '#web/ui/states/failure.tsx'
import { StatusDot } from '#web/ui/text/status-dot.tsx'

type Props = { account: Account }

export function PasswordCard({ account }: Props) {
  const { t } = useTranslation(['accounts', 'account-settings'])
  const queries = useQueryClient()
  const fields = useFields({ currentPassword: '', password: '', passwordConfirmation: '' }, (values) => ({
    currentPassword: account.hasPassword && values.currentPassword === '' ? 'field_required' : null,
    password: newPasswordProblem(values.password, account.email),
    passwordConfirmation: repeatedPasswordProblem(values.password, values.passwordConfirmation),
  }))
  const send = fields.submit(async ({ currentPassword, ...values }) => {
    const { data } = await sendOnce(changePassword, {
      body: { ...values, ...(account.hasPassword && { currentPassword }) },
    })
    fields.reset()
    notifications.show({
      color: 'green',
      message:
        data.endedSessions > 0
          ? t('account-settings:passwordChangedOthers', { count: data.endedSessions })
          : t('account-settings:passwordChanged'),
    })
    await queries.invalidateQueries({ queryKey: keyOf(listSessions) })
    await queries.invalidateQueries({ queryKey: keyOf(getAccount) })
  })
  return (
    <Card title={t('account-settings:password')}>
      <form onSubmit={send} ref={fields.form} noValidate>
        <Stack gap="md">
          <Text c="dimmed">
            {t(account.hasPassword ? 'account-settings:passwordText' : 'account-settings:passwordFirst')}
          </Text>
          {/* Tells password managers which account the password belongs to. */}
          <input type="text" name="username" autoComplete="username" value={account.email} readOnly hidden />
          {account.hasPassword && (
            <PasswordInput
              label={t('fields.currentPassword')}
              autoComplete="current-password"
              {...fields.text('currentPassword')}
            />
          )}
          <PasswordInput label={t('fields.newPassword')} autoComplete="new-password" {...fields.text('password')} />
          <PasswordMeter password={fields.values.password} />
          <PasswordInput
            label={t('fields.repeatPassword')}
            autoComplete="new-password"
            {...fields.text('passwordConfirmation')}
          />
          <Failure>{fields.formError}</Failure>
          <Group>
            <Button type="submit" loading={fields.busy}>
              {t(account.hasPassword ? 'account-settings:changePassword' : 'account-settings:setPassword')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Card>
  )
}

export function EmailCard({ account }: Props) {
  const { t } = useTranslation(['accounts', 'account-settings'])
  const queries = useQueryClient()
  const asksPassword = account.hasPassword && account.emailVerifiedAt !== null
  const fields = useFields({ email: '', password: '' }, ({ email, password }) => ({
    email: emailProblem(email),
    password: asksPassword && password === '' ? 'field_required' : null,
  }))
  const send = fields.submit(async ({ email, password }) => {
    await sendOnce(changeEmail, { body: { email: email.trim(), ...(asksPassword && { password }) } })
    fields.reset()
    notifications.show({ color: 'green', message: t('account-settings:emailSent', { email: email.trim() }) })
    await queries.invalidateQueries({ queryKey: keyOf(getAccount) })
  })
  return (
    <Card title={t('account-settings:email')}>
      <form onSubmit={send} ref={fields.form} noValidate>
        <Stack gap="md">
          <Group gap="sm">
            <Text style={{ overflowWrap: 'anywhere' }}>{account.email}</Text>
            <StatusDot
              tone={account.emailVerifiedAt ? 'done' : 'attention'}
              label={t(account.emailVerifiedAt ? 'account-settings:emailVerified' : 'account-settings:emailUnverified')}
            />
          </Group>
          {account.pendingEmail && <Text c="dimmed">{t('verify.pending', { email: account.pendingEmail })}</Text>}
          <TextInput
            label={t('account-settings:newEmail')}
            description={t('verify.changeHint')}
            type="email"
            inputMode="email"
            autoComplete="email"
            autoCapitalize="none"
            spellCheck={false}
            {...fields.text('email')}
          />
          {asksPassword && (
            <PasswordInput
              label={t('fields.currentPassword')}
              autoComplete="current-password"
              {...fields.text('password')}
            />
          )}
          <Failure>{fields.formError}</Failure>
          <Group>
            <Button type="submit" variant="default" loading={fields.busy}>
              {t('account-settings:changeEmail')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Card>
  )
}

const themes = ['light', 'dark', 'system'] as const

export function PreferencesCard() {
  const { t, i18n } = useTranslation(['accounts', 'common'])
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  // The screen changes at once; the account stores the preference for mails and other devices.
  const savePreferences = (preferences: { language?: Language; theme?: (typeof themes)[number] }) =>
    void sendOnce(updatePreferences, { body: preferences }).catch((error: unknown) => {
      if (error instanceof ApiError) notifications.show({ color: 'red', message: error.message })
    })
  return (
    <Card title={t('account-settings:preferences')}>
      <Stack gap="md">
        <div>
          <Text fw={500} id="settings-language">
            {t('account-settings:language')}
          </Text>
          <SegmentedControl
            aria-labelledby="settings-language"
            size="md"
            value={i18n.language}
            onChange={(value) => {
              void setLanguage(value as Language)
              savePreferences({ language: value as Language })
            }}
            data={[
              { value: 'en', label: t('common:language.en') },
              { value: 'id', label: t('common:language.id') },
            ]}
          />
        </div>
        <div>
          <Text fw={500} id="settings-theme">
            {t('account-settings:theme')}
          </Text>
          <SegmentedControl
            aria-labelledby="settings-theme"
            size="md"
            value={colorScheme === 'auto' ? 'system' : colorScheme}
            onChange={(value) => {
              const theme = value as (typeof themes)[number]
              setColorScheme(theme === 'system' ? 'auto' : theme)
              savePreferences({ theme })
            }}
            data={themes.map((value) => ({ value, label: t(`account-settings:${value}`) }))}
          />
        </div>
      </Stack>
    </Card>
  )
}

export function DataCard({ account }: Props) {
  const { t } = useTranslation(['accounts', 'account-settings'])
  const language = useLanguage()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()
  const save = async () => {
    setBusy(true)
    setFailure(undefined)
    try {
      await download(exportAccount.path, `pmb-data-${universityCalendar().dayOf(new Date())}.json`)
    } catch (error) {
      if (error instanceof ApiError) setFailure(error.message)
    }
    setBusy(false)
  }
  return (
    <Card title={t('account-settings:data')}>
      <Stack gap="md" align="flex-start">
        <Text c="dimmed">{t('account-settings:dataText')}</Text>
        {account.consentAt && account.consentVersion && (
          <Text c="dimmed">
            {t('account-settings:consent', {
              version: account.consentVersion,
              date: longDate(account.consentAt, language),
            })}
          </Text>
        )}
        <Failure>{failure}</Failure>
        <Button variant="default" onClick={save} loading={busy}>
          {t('account-settings:download')}
        </Button>
      </Stack>
    </Card>
  )
}
