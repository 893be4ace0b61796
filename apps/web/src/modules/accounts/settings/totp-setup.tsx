import { Anchor, Button, CopyButton, Group, Loader, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { confirmTotp, startTotp } from '#domain/accounts/totp-endpoints.ts'
import { sendOnce } from '#web/api/send.ts'
import { useFields } from '#web/modules/accounts/use-fields.ts'
import { Failure } from '#web/ui/states/failure.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import classes from './totp.module.css'

type Props = {
  email: string
  /** Called when the code was right, before the recovery codes are saved. */
  onSetUp?: () => void
  onDone: () => void
  onCancel?: () => void
}

/** Sets up two-factor sign-in: key, first code, recovery codes. */
export function TotpSetup({ email, onSetUp, onDone, onCancel }: Props) {
  const { t } = useTranslation('staff-accounts')
  const [codes, setCodes] = useState<string[]>()
  const { data, error } = useQuery({
    queryKey: [startTotp.path, 'new'],
    queryFn: () => sendOnce(startTotp),
    // Fetching a second key would invalidate the one in the app.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    meta: { quietAs: 'totpKey' },
  })
  const fields = useFields({ code: '' }, ({ code }) => ({ code: code.trim() === '' ? 'field_required' : null }))
  const send = fields.submit(async ({ code }) => {
    setCodes((await sendOnce(confirmTotp, { body: { code } })).data.recoveryCodes)
    onSetUp?.()
  })

  if (codes) return <RecoveryCodes codes={codes} email={email} onKept={onDone} />
  if (error && !data) return <Failure>{error.message}</Failure>
  if (!data) return <Loader />
  const { key, uri, qr } = data.data
  return (
    <Stack gap="md">
      <Text>{t('totp.step1')}</Text>
      <div className={classes.key}>
        <svg
          className={classes.qr}
          viewBox={`-4 -4 ${qr.size + 8} ${qr.size + 8}`}
          role="img"
          aria-label={t('totp.qrLabel')}
          shapeRendering="crispEdges"
        >
          <path d={qr.path} />
        </svg>
        <Stack gap="xs" className={classes.words}>
          <Text size="sm" c="dimmed">
            {t('totp.noCamera')}
          </Text>
          <code className={classes.text}>{key}</code>
          <Group gap="xs">
            <CopyButton value={key.replaceAll(' ', '')}>
              {({ copied, copy }) => (
                <Button variant="default" size="compact-md" onClick={copy}>
                  {t(copied ? 'totp.copied' : 'totp.copyKey')}
                </Button>
              )}
            </CopyButton>
            <Anchor href={uri} size="sm">
              {t('totp.openApp')}
            </Anchor>
          </Group>
        </Stack>
      </div>
      <form onSubmit={send} ref={fields.form} noValidate>
        <Stack gap="md">
          <TextInput
            label={t('totp.code')}
            description={t('totp.step2')}
            autoComplete="one-time-code"
            inputMode="numeric"
            maxLength={10}
            maw={320}
            {...fields.text('code')}
          />
          <Failure>{fields.formError}</Failure>
          <Group>
            <Button type="submit" loading={fields.busy}>
              {t('totp.confirm')}
            </Button>
            {onCancel && (
              <Button variant="default" onClick={onCancel}>
                {t('totp.cancel')}
              </Button>
            )}
          </Group>
        </Stack>
      </form>
    </Stack>
  )
}
