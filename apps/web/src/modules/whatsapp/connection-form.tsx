import { Button, Checkbox, NumberInput, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { formatPhone } from '#domain/accounts/phone.ts'
import {
  createConnection,
  removeConnection,
  updateConnection,
  type WhatsappConnection,
} from '#domain/whatsapp/endpoints.ts'
import { type WhatsappKind, whatsappKinds } from '#domain/whatsapp/standing.ts'
import { type Bindings, useForm } from '#web/api/use-form.ts'
import { useSession } from '#web/shell/session/session.tsx'
import { useGoBack } from '#web/shell/way-back.ts'
import { Card } from '#web/ui/card.tsx'
import { ConfirmButton } from '#web/ui/confirm-button.tsx'
import { FixedChoice } from '#web/ui/form/fixed-choice.tsx'
import { PageForm } from '#web/ui/form/form.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
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
  /** Empty keeps the stored token. */
  accessToken: '',
  appSecret: '',
})

type Values = ReturnType<typeof startOf>

const bodyOf = ({ kind: _kind, accessToken, appSecret, ...content }: Values) => ({
  ...content,
  phone: content.phone.trim() || null,
  phoneNumberId: content.phoneNumberId.trim() || null,
  businessAccountId: content.businessAccountId.trim() || null,
  ...(accessToken.trim() && { accessToken: accessToken.trim() }),
  ...(appSecret.trim() && { appSecret: appSecret.trim() }),
})

type Field = 'name' | 'phone' | 'phoneNumberId' | 'businessAccountId' | 'graphUrl' | 'graphVersion'

/** Returns the props of a labelled text input. */
function useText(form: Bindings<Values>) {
  const { t } = useTranslation('whatsapp')
  return (name: Field) => ({ size: 'sm', label: t(name), ...form.text(name), autoComplete: 'off' })
}

export function ConnectionForm({ connection }: { connection: WhatsappConnection | undefined }) {
  const { t } = useTranslation('whatsapp')
  const { say } = useSurroundings()
  const { may } = useSession()
  const navigate = useNavigate()
  const form = useForm({
    call: connection ? updateConnection : createConnection,
    params: connection && { id: connection.id },
    start: () => startOf(connection),
    body: (values) => ({
      ...bodyOf(values),
      ...(connection ? { version: connection.version } : { kind: values.kind }),
    }),
    done: t('saved'),
    onDone: ({ data }) => navigate(`/settings/whatsapp/${data.id}/view`),
  })
  const { kind } = form.values
  const text = useText(form)
  const number = (name: 'perMinute' | 'perDay') => ({
    size: 'sm',
    label: t(name),
    ...form.number(name),
    allowDecimal: false,
    thousandSeparator: '.',
    decimalSeparator: ',',
    onChange: (value: string | number) => form.set({ [name]: Number(value) }),
  })
  const backPath = connection ? `/settings/whatsapp/${connection.id}/view` : '/settings/whatsapp'

  return (
    <PageForm
      form={form}
      submit={t('saveAndView')}
      gap={20}
      maw={720}
      beside={
        <>
          <Button component={Link} to={backPath} variant="subtle" children={say('actions.cancel')} />
          {connection && may('settings-whatsapp-delete') && <RemoveButton connection={connection} />}
        </>
      }
    >
      <Card title={t('connection')}>
        <Stack gap="md">
          <FixedChoice
            label={t('kind')}
            value={kind}
            choices={whatsappKinds.map((kind) => ({
              value: kind,
              label: t(`kinds.${kind}`),
              description: t(`kindHelp.${kind}`),
            }))}
            fixed={connection && t('kindFixed')}
            onChange={(kind) => form.set({ kind, ...paceOf[kind] })}
          />
          {kind === 'device' && <DeviceWarning />}
          <TextInput {...text('name')} />
          {kind !== 'device' && <TextInput {...text('phone')} inputMode="tel" description={t('phoneHelp')} />}
          <Checkbox label={t('active')} description={t('activeHelp')} {...form.box('active')} />
          <Checkbox label={t('isDefault')} description={t('isDefaultHelp')} {...form.box('isDefault')} />
        </Stack>
      </Card>
      {kind === 'cloud' && (
        <Card title={t('cloud')}>
          <CloudFields connection={connection} form={form} />
        </Card>
      )}
      <Card title={t('pace')}>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <NumberInput
            {...number('perMinute')}
            description={t(kind === 'device' ? 'perMinuteDevice' : 'perMinuteHelp')}
          />
          <NumberInput {...number('perDay')} description={t('perDayHelp')} />
        </SimpleGrid>
      </Card>
    </PageForm>
  )
}

type CloudFieldsProps = { connection: WhatsappConnection | undefined; form: Bindings<Values> }

/** Fields of a connection to Meta's Cloud API. */
function CloudFields({ connection, form }: CloudFieldsProps) {
  const { t } = useTranslation('whatsapp')
  const text = useText(form)
  return (
    <Stack gap="md">
      <TextInput {...text('phoneNumberId')} withAsterisk inputMode="numeric" description={t('phoneNumberIdHelp')} />
      <TextInput {...text('businessAccountId')} inputMode="numeric" />
      <ConnectionSecret
        label={t('accessToken')}
        help={t('accessTokenHelp')}
        setAt={connection?.secrets.accessToken ?? null}
        {...form.value('accessToken')}
      />
      <ConnectionSecret
        label={t('appSecret')}
        help={t('appSecretHelp')}
        setAt={connection?.secrets.appSecret ?? null}
        {...form.value('appSecret')}
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput {...text('graphUrl')} />
        <TextInput {...text('graphVersion')} />
      </SimpleGrid>
    </Stack>
  )
}

function RemoveButton({ connection }: { connection: WhatsappConnection }) {
  const { t } = useTranslation('whatsapp')
  const { say } = useSurroundings()
  const goBack = useGoBack()
  const removing = useForm({
    call: removeConnection,
    params: { id: connection.id },
    done: t('deleted'),
    onDone: () => goBack('/settings/whatsapp'),
  })
  return (
    <ConfirmButton
      danger
      variant="outline"
      ml="auto"
      title={t('deleteTitle')}
      message={t('deleteText', { name: connection.name })}
      onConfirm={() => removing.send()}
      children={say('actions.delete')}
    />
  )
}
