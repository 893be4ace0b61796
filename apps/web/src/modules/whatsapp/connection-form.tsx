import { Button, Checkbox, Group, NumberInput, Radio, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { formatPhone } from '#domain/accounts/phone.ts'
import {
  createConnection,
  listConnections,
  readConnection,
  removeConnection,
  updateConnection,
  type WhatsappConnection,
} from '#domain/whatsapp/endpoints.ts'
import { type WhatsappKind, whatsappKinds } from '#domain/whatsapp/standing.ts'
import type { ApiError } from '#web/api/client.ts'
import { keyOf } from '#web/api/query.ts'
import { useSend } from '#web/api/send.ts'
import { useChecks } from '#web/api/use-checks.ts'
import { useSession } from '#web/app/session.tsx'
import { Card } from '#web/ui/card.tsx'
import { ConfirmButton } from '#web/ui/confirm-button.tsx'
import { Failure } from '#web/ui/failure.tsx'
import { useSurroundings } from '#web/ui/words.tsx'
import { DeviceWarning } from './device-warning.tsx'
import { ConnectionSecret } from './secret-field.tsx'

const paceOf: Record<WhatsappKind, { perMinute: number; perDay: number }> = {
  cloud: { perMinute: 600, perDay: 10_000 },
  device: { perMinute: 6, perDay: 200 },
  log: { perMinute: 600, perDay: 100_000 },
}

const startOf = (connection: WhatsappConnection | undefined) => ({
  kind: connection?.kind ?? ('cloud' as WhatsappKind),
  name: connection?.name ?? '',
  phone: connection?.phone ? formatPhone(connection.phone) : '',
  active: connection?.active ?? true,
  isDefault: connection?.isDefault ?? false,
  perMinute: connection?.perMinute ?? paceOf.cloud.perMinute,
  perDay: connection?.perDay ?? paceOf.cloud.perDay,
  phoneNumberId: connection?.phoneNumberId ?? '',
  businessAccountId: connection?.businessAccountId ?? '',
  graphUrl: connection?.graphUrl ?? 'https://graph.facebook.com',
  graphVersion: connection?.graphVersion ?? 'v24.0',
  /** Empty: what is stored stays. */
  accessToken: '',
  appSecret: '',
})
type Values = ReturnType<typeof startOf>

export function ConnectionForm({ connection }: { connection: WhatsappConnection | undefined }) {
  const update = useSend(updateConnection)
  const create = useSend(createConnection)
  const remove = useSend(removeConnection)
  const { t } = useTranslation('whatsapp')
  const { say } = useSurroundings()
  const { may } = useSession()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const [values, setValues] = useState(() => startOf(connection))
  const set = (change: Partial<Values>) => setValues((before) => ({ ...before, ...change }))
  const { kind, accessToken, appSecret, ...content } = values
  const cloud = kind === 'cloud'

  const body = {
    ...content,
    phone: values.phone.trim() || null,
    phoneNumberId: values.phoneNumberId.trim() || null,
    businessAccountId: values.businessAccountId.trim() || null,
    ...(accessToken.trim() && { accessToken: accessToken.trim() }),
    ...(appSecret.trim() && { appSecret: appSecret.trim() }),
  }
  const sent = connection ? { ...body, version: connection.version } : { ...body, kind }

  const saving = useMutation<{ data: WhatsappConnection }, ApiError>({
    mutationFn: () => {
      return connection
        ? update({ params: { id: connection.id }, body: { ...body, version: connection.version } })
        : create({ body: { ...body, kind } })
    },
    onSuccess: ({ data }) => {
      notifications.show({ color: 'green', message: t('saved') })
      queries.setQueryData(keyOf(readConnection, { params: { id: data.id } }), { data })
      void queries.invalidateQueries({ queryKey: keyOf(listConnections) })
      navigate(`/settings/whatsapp/${data.id}/view`)
    },
  })
  const removing = useMutation<unknown, ApiError>({
    mutationFn: () => remove({ params: { id: connection!.id } }),
    onSuccess: () => {
      notifications.show({ color: 'green', message: t('deleted') })
      void queries.invalidateQueries({ queryKey: keyOf(listConnections) })
      navigate('/settings/whatsapp')
    },
  })
  const checks = useChecks(connection ? updateConnection : createConnection, sent, { refusal: saving.error })

  const text = (name: 'name' | 'phone' | 'phoneNumberId' | 'businessAccountId' | 'graphUrl' | 'graphVersion') => ({
    size: 'sm',
    label: t(name),
    value: values[name],
    ...checks.field(name),
    autoComplete: 'off',
    onChange: (event: { currentTarget: { value: string } }) => set({ [name]: event.currentTarget.value }),
  })
  const number = (name: 'perMinute' | 'perDay', max: number) => ({
    size: 'sm',
    label: t(name),
    value: values[name],
    ...checks.field(name),
    min: 1,
    max,
    allowDecimal: false,
    thousandSeparator: '.',
    decimalSeparator: ',',
    clampBehavior: 'blur' as const,
    onChange: (value: string | number) => set({ [name]: Number(value) }),
  })
  const back = connection ? `/settings/whatsapp/${connection.id}/view` : '/settings/whatsapp'

  return (
    <form
      {...checks.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!saving.isPending && checks.isReady()) saving.mutate()
      }}
    >
      <Stack gap={20} maw={720}>
        <Card title={t('connection')}>
          <Stack gap="md">
            {connection ? (
              <div>
                <Text size="sm" fw={500}>
                  {t('kind')}
                </Text>
                <Text>{t(`kinds.${kind}`)}</Text>
                <Text size="sm" c="dimmed">
                  {t('kindFixed')}
                </Text>
              </div>
            ) : (
              <Radio.Group
                label={t('kind')}
                value={kind}
                onChange={(chosen) => set({ kind: chosen as WhatsappKind, ...paceOf[chosen as WhatsappKind] })}
              >
                <Stack gap="sm" mt="xs">
                  {whatsappKinds.map((one) => (
                    <Radio key={one} value={one} label={t(`kinds.${one}`)} description={t(`kindHelp.${one}`)} />
                  ))}
                </Stack>
              </Radio.Group>
            )}
            {kind === 'device' && <DeviceWarning />}
            <TextInput {...text('name')} withAsterisk maxLength={100} />
            {kind !== 'device' && <TextInput {...text('phone')} inputMode="tel" description={t('phoneHelp')} />}
            <Checkbox
              label={t('active')}
              description={t('activeHelp')}
              checked={values.active}
              {...checks.field('active')}
              onChange={(event) => set({ active: event.currentTarget.checked })}
            />
            <Checkbox
              label={t('isDefault')}
              description={t('isDefaultHelp')}
              checked={values.isDefault}
              {...checks.field('isDefault')}
              onChange={(event) => set({ isDefault: event.currentTarget.checked })}
            />
          </Stack>
        </Card>
        {cloud && (
          <Card title={t('cloud')}>
            <Stack gap="md">
              <TextInput
                {...text('phoneNumberId')}
                withAsterisk
                inputMode="numeric"
                description={t('phoneNumberIdHelp')}
              />
              <TextInput {...text('businessAccountId')} inputMode="numeric" />
              <ConnectionSecret
                label={t('accessToken')}
                help={t('accessTokenHelp')}
                setAt={connection?.secrets.accessToken ?? null}
                value={accessToken}
                error={checks.errorOf('accessToken')}
                onChange={(value) => set({ accessToken: value })}
              />
              <ConnectionSecret
                label={t('appSecret')}
                help={t('appSecretHelp')}
                setAt={connection?.secrets.appSecret ?? null}
                value={appSecret}
                error={checks.errorOf('appSecret')}
                onChange={(value) => set({ appSecret: value })}
              />
              <SimpleGrid cols={{ base: 1, sm: 2 }}>
                <TextInput {...text('graphUrl')} />
                <TextInput {...text('graphVersion')} />
              </SimpleGrid>
            </Stack>
          </Card>
        )}
        <Card title={t('pace')}>
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <NumberInput
              {...number('perMinute', 4800)}
              description={t(kind === 'device' ? 'perMinuteDevice' : 'perMinuteHelp')}
            />
            <NumberInput {...number('perDay', 1_000_000)} description={t('perDayHelp')} />
          </SimpleGrid>
        </Card>
        <Failure>{checks.unsaid ?? removing.error?.message}</Failure>
        <Group>
          <Button type="submit" loading={saving.isPending} children={t('saveAndView')} />
          <Button component={Link} to={back} variant="subtle" children={say('actions.cancel')} />
          {connection && may('settings-whatsapp-delete') && (
            <ConfirmButton
              danger
              variant="outline"
              ml="auto"
              title={t('deleteTitle')}
              message={t('deleteText', { name: connection.name })}
              onConfirm={() => removing.mutateAsync()}
              children={say('actions.delete')}
            />
          )}
        </Group>
      </Stack>
    </form>
  )
}
