import { Button, Group, Loader, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { connectDevice, type WhatsappConnection } from '#domain/whatsapp/endpoints.ts'
import { useForm } from '#web/api/use-form.ts'
import { useSession } from '#web/shell/session/session.tsx'
import { PageForm } from '#web/ui/form/form.tsx'
import classes from './whatsapp.module.css'

type Props = { connection: WhatsappConnection }

/** Current QR code to scan, or code to type. */
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
  const { t } = useTranslation('whatsapp')
  const [isAsking, setIsAsking] = useState(false)
  const form = useForm({
    call: connectDevice,
    params: { id },
    start: { phone: '' },
    body: ({ phone }) => ({ phone: phone.trim() }),
    onDone: () => setIsAsking(true),
  })
  return (
    <PageForm form={form} submit={null}>
      <Group align="flex-end" gap="sm">
        <TextInput
          size="sm"
          label={t('byCode')}
          description={t('byCodeText')}
          placeholder="0812-3456-7890"
          type="tel"
          autoComplete="off"
          value={form.values.phone}
          {...form.field('phone')}
          onChange={(event) => {
            form.set({ phone: event.currentTarget.value })
            setIsAsking(false)
          }}
        />
        <Button type="submit" variant="default" loading={form.busy || isAsking}>
          {t('getCode')}
        </Button>
      </Group>
      {isAsking && (
        <Text size="sm" c="dimmed" role="status">
          {t('waitingForCode')}
        </Text>
      )}
    </PageForm>
  )
}
