import { Button, Group, Loader, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { connectDevice, type WhatsappConnection } from '#domain/whatsapp/endpoints.ts'
import { useSend } from '#web/api/send.ts'
import { useChecks } from '#web/api/use-checks.ts'
import { useSession } from '#web/app/session.tsx'
import { Failure } from '#web/ui/failure.tsx'
import { useConnectionActions } from './use-connection-actions.ts'
import classes from './whatsapp.module.css'

type Props = { connection: WhatsappConnection }

/** The code to scan, or the one to type, as it is at this moment. */
export function Pairing({ connection: { id, pairing } }: Props) {
  const { t } = useTranslation('whatsapp')
  const { may } = useSession()
  if (!may('settings-whatsapp-update')) return <Text c="dimmed">{t('viewOnly')}</Text>
  if (!pairing) return <Loader aria-label={t('state.connecting')} />
  if (pairing.code)
    return (
      <Stack gap="xs">
        <Text>{t('byCodeSteps')}</Text>
        <code className={classes.code} role="status">
          {pairing.code}
        </code>
      </Stack>
    )
  return (
    <Stack gap="md">
      <Text>{t('state.pairing')}</Text>
      <div className={classes.pairing}>
        {pairing.qr && (
          <svg
            className={classes.qr}
            viewBox={`-4 -4 ${pairing.qr.size + 8} ${pairing.qr.size + 8}`}
            role="img"
            aria-label={t('qrLabel')}
            shapeRendering="crispEdges"
          >
            <path d={pairing.qr.path} />
          </svg>
        )}
        <ol className={classes.steps}>
          <li>{t('scanSteps.one')}</li>
          <li>{t('scanSteps.two')}</li>
          <li>{t('scanSteps.three')}</li>
        </ol>
      </div>
      <ByCode id={id} />
    </Stack>
  )
}

function ByCode({ id }: { id: string }) {
  const send = useSend(connectDevice)
  const { t } = useTranslation('whatsapp')
  const { act, running } = useConnectionActions(id)
  const [phone, setPhone] = useState('')
  const [asked, setAsked] = useState(false)
  const body = { phone: phone.trim() }
  const checks = useChecks(connectDevice, body)
  const ask = async (event: FormEvent) => {
    event.preventDefault()
    if (running || !checks.isReady()) return
    await act('code', () => send({ params: { id }, body }), undefined, checks).then(
      () => setAsked(true),
      () => {},
    )
  }
  return (
    <form {...checks.form} onSubmit={ask} noValidate>
      <Group align="flex-end" gap="sm">
        <TextInput
          size="sm"
          label={t('byCode')}
          description={t('byCodeText')}
          placeholder="0812 3456 7890"
          type="tel"
          autoComplete="off"
          value={phone}
          {...checks.field('phone')}
          onChange={(event) => {
            setPhone(event.currentTarget.value)
            setAsked(false)
          }}
        />
        <Button type="submit" variant="default" loading={running === 'code' || asked}>
          {t('getCode')}
        </Button>
      </Group>
      <Failure>{checks.unsaid}</Failure>
      {asked && (
        <Text size="sm" c="dimmed" role="status">
          {t('waitingForCode')}
        </Text>
      )}
    </form>
  )
}
